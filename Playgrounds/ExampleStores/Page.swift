/// The page that a person sees.
package enum Page: Sendable, Equatable {
    case blank
    case list([Post])
    case post(Post)
    case created(Post)
    case deleted(id: Int)
}
