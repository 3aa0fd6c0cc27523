import Foundation

/// For what is printed in a process that a test watches.
struct StandardError: TextOutputStream {
    func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

var standardError: StandardError {
    get { StandardError() }
    set {}
}
