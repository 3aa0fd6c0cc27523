/// A post as the server stores it.
package struct Post: Sendable, Equatable, Codable {
    package let id: Int
    package let title: String
    package let body: String

    package init(id: Int, title: String, body: String = "") {
        self.id = id
        self.title = title
        self.body = body
    }
}

extension Post: CustomStringConvertible {
    /// The number and the title. The title is in quotes and without control characters.
    package var description: String {
        "\(id) \(title.debugDescription)"
    }
}
