import Foundation

/// Prints to the standard error of a process that a test observes.
struct StandardError: TextOutputStream {
    func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

var standardError: StandardError {
    get { StandardError() }
    set {}
}
