import Foundation

/// The programs of this package, as they were built together with the tests.
public enum Executables {
    private final class Anchor {}

    /// The path of a built program. The test target must depend on it, so that it is built.
    ///
    /// Programs lie beside the test bundle, whatever the configuration and the scratch path.
    public static func path(_ name: String) -> String {
        #if canImport(Darwin)
            let directory = Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent()
        #else
            let directory = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
        return directory.appending(path: name).path
    }
}
