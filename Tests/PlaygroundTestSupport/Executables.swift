import Foundation

/// The programs of this package that were built together with the tests.
public enum Executables {
    private final class Anchor {}

    /// Returns the path of a built program. The test target must depend on the program.
    ///
    /// Programs are beside the test bundle in each configuration and for each scratch path.
    public static func path(_ name: String) -> String {
        #if canImport(Darwin)
            let directory = Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent()
        #else
            let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
        return directory.appending(path: name).path
    }
}
