/// A post that the server does not have yet.
package struct Draft: Sendable, Equatable, Encodable {
    package let title: String
    package let body: String

    package init(title: String, body: String = "") {
        self.title = title
        self.body = body
    }
}

extension Draft: CustomStringConvertible {
    /// The title, in quotes and without control characters.
    package var description: String {
        title.debugDescription
    }
}
