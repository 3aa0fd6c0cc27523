import Foundation
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct PageFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ name: String, replaces: Bool) throws {
        try PageFile.write(Data("page".utf8), to: scratch.folder.appending(path: name), replaces: replaces)
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOf: scratch.folder.appending(path: name), encoding: .utf8)
    }

    /// The files of a folder: `other` is a file, and each other name is a link to it or no regular file.
    private func makeFiles() throws {
        _ = try scratch.file("other", "kept")
        let path = { (name: String) in scratch.folder.appending(path: name).path }
        #expect(symlink("other", path("link")) == 0 && symlink("missing", path("dangling")) == 0)
        #expect(mkfifo(path("pipe"), 0o600) == 0 && symlink("pipe", path("link to pipe")) == 0)
        #expect(mkdir(path("folder"), 0o700) == 0 && symlink("/dev/null", path("device")) == 0)
    }

    @Test(arguments: ["other", "link"]) func anExistingFileIsReplacedOnlyOnRequest(name: String) throws {
        try makeFiles()
        let error = #expect(throws: InspectorError.self) { try write(name, replaces: false) }
        #expect(
            error?.description.hasSuffix("exists. To replace it, add --force, or choose another name with -o.") == true)
        #expect(try content("other") == "kept")
        try write(name, replaces: true)
        #expect(try content("other") == "page")
        #expect(
            try FileManager.default.attributesOfItem(atPath: scratch.folder.appending(path: "link").path)[.type]
                as? FileAttributeType == .typeSymbolicLink)
    }

    @Test(arguments: ["pipe", "link to pipe", "folder", "device"], [false, true])
    func nothingButARegularFileIsWritten(name: String, replaces: Bool) throws {
        try makeFiles()
        let error = #expect(throws: InspectorError.self) { try write(name, replaces: replaces) }
        #expect(error?.description.hasSuffix("\(name) is not a regular file. Choose another name with -o.") == true)
    }

    @Test(arguments: [false, true]) func aFileThatDoesNotExistIsCreated(replaces: Bool) throws {
        try write("new", replaces: replaces)
        #expect(try content("new") == "page")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["new"])
    }

    @Test func aPageThatCannotBeWrittenIsNamedWithTheReason() throws {
        let error = #expect(throws: InspectorError.self) { try write("missing/page", replaces: false) }
        #expect(error?.description.hasSuffix("missing/page cannot be written: No such file or directory.") == true)
    }
}
