import Foundation

enum PackageFolder {
    static let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    static func text(of path: String) throws -> String {
        try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }
}
