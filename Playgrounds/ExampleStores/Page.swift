/// What there is to see.
package enum Page: Sendable, Equatable {
    case blank
    case list([Post])
    case post(Post)
    case created(Post)
    case deleted(id: Int)
}
