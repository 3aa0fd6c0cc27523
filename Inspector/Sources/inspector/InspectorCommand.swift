import ArgumentParser
import Foundation
import InspectorKit

@main
struct InspectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspector",
        abstract: "Turns the trace of a program into a page for a browser.",
        discussion: """
            A trace is a file of JSON lines, as JSONLinesFile of ArchitectureTracing writes it. The page is one file that \
            needs no network.
            """)

    @Argument(help: "The trace. With --diff, two traces.", completion: .file())
    var traces: [String]

    @Option(name: .shortAndLong, help: "The file of the page. The default is the name of the trace with .html.")
    var output: String?

    @Flag(help: "Replace the file of the page if it exists.")
    var force = false

    @Option(help: "The part to show: numbers as in 100-200, or seconds as in 1.5s-3s. Either end may be missing.")
    var range: String?

    @Option(name: .customLong("trace"), help: "Which trace to show if the file contains several.")
    var number = 1

    @Flag(help: "Serve the page on this computer, and update it while the program writes.")
    var follow = false

    @Option(help: "The port of --follow. 0 lets the system choose one.")
    var port: UInt16 = 0

    @Flag(help: "Show two runs side by side, from the first entry that differs.")
    var diff = false

    func validate() throws {
        let count = diff ? 2 : 1
        guard traces.count == count else {
            throw ValidationError(
                diff ? "--diff takes two traces." : "One trace is expected. To compare two, use --diff.")
        }
        guard !(diff && follow) else { throw ValidationError("--diff and --follow exclude each other.") }
        let unsupported: [(name: String, isGiven: Bool)] =
            follow
            ? [("--range", range != nil), ("--output", output != nil), ("--trace", number != 1), ("--force", force)]
            : [("--range", diff && range != nil), ("--port", port != 0)]
        if let option = unsupported.first(where: \.isGiven) {
            throw ValidationError(
                "\(option.name) is not supported with\(diff ? " --diff" : follow ? " --follow" : "out --follow").")
        }
        if let range, TraceRange(range) == nil {
            throw ValidationError("\(range) is not a range. Examples: 100-200, 100-, 1.5s-3s.")
        }
    }

    func run() async throws {
        let urls = traces.map { URL(filePath: $0) }
        if follow { return try await serve(urls[0]) }
        let progress = Progress()
        defer { progress.clear() }
        let files = try urls.map { try TraceFile($0, trace: number, progress: progress.show) }
        if diff { return try compare(files[0], files[1], of: urls[0], progress) }
        let page = try TracePage(files[0], range: range.flatMap(TraceRange.init))
        progress.clear()
        let target = try write(page.data, for: urls[0])
        print("\(target.path(percentEncoded: false)): \(page.count) entries, \(megabytes(page.data))")
        for note in page.notes { print("  \(note)") }
    }

    private func compare(_ left: TraceFile, _ right: TraceFile, of trace: URL, _ progress: Progress) throws {
        let page = try ComparisonPage(left, right)
        progress.clear()
        let target = try write(page.data, for: trace)
        let result = page.firstDifference.map { "The runs differ from #\($0) on." } ?? "The runs do not differ."
        print("\(target.path(percentEncoded: false)): \(megabytes(page.data)). \(result)")
    }

    private func serve(_ file: URL) async throws {
        try await FollowServer(file, port: port).run { address in
            print("Open \(address) in a browser. Press Ctrl-C to end.")
            fflush(nil)
        }
    }

    private func write(_ page: Data, for trace: URL) throws -> URL {
        let target = output.map { URL(filePath: $0) } ?? trace.deletingPathExtension().appendingPathExtension("html")
        let place = { (url: URL) in url.absoluteURL.resolvingSymlinksInPath().standardizedFileURL }
        guard !traces.contains(where: { place(URL(filePath: $0)) == place(target) }) else {
            throw InspectorError("The page would replace the trace. Choose another name with -o.")
        }
        try PageFile.write(page, to: target, replaces: force)
        return target
    }

    private func megabytes(_ data: Data) -> String { "\((Double(data.count) / 100_000).rounded() / 10) MB" }
}
