import Foundation
import PackagePlugin

/// Generates the sources of a test target from its templates and the code blocks of the documentation.
@main
struct InsertBlocksPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let drivers = root.appending(path: "Sources/ArchitectureTesting/Drivers")
        let pages =
            [root.appending(path: "README.md")] + files(in: root.appending(path: "Sources"), ".md")
            + ["TestAxes", "TestDriver", "TestLoop"].map { drivers.appending(path: "\($0).swift") }
        let templates = files(in: target.directoryURL.appending(path: "Templates"), ".swift")
        let folder = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Inserting the code blocks of the documentation",
                executable: try context.tool(named: "InsertBlocks").url,
                arguments: [folder.path] + pages.map { $0.path } + ["--"] + templates.map { $0.path },
                inputFiles: pages + templates,
                outputFiles: templates.map { folder.appending(path: "Generated" + $0.lastPathComponent) })
        ]
    }

    private func files(in folder: URL, _ suffix: String) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(suffix) }.sorted().map { folder.appending(path: $0) }
    }
}
