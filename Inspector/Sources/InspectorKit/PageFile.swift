import Foundation

/// The file to which a page is written.
package enum PageFile {
    /// Writes a page. An existing file is replaced only if `replaces` is true, and only if it is a regular file. A
    /// symbolic link stays: the file that it leads to is written.
    package static func write(_ page: Data, to target: URL, replaces: Bool) throws {
        let path = target.path(percentEncoded: false)
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT != S_IFREG {
            throw InspectorError("\(path) is not a regular file. Choose another name with -o.")
        }
        if exists && !replaces {
            throw InspectorError("\(path) exists. To replace it, add --force, or choose another name with -o.")
        }
        do {
            // Without `atomic`, nothing is written if another program creates the file in the meantime.
            try page.write(
                to: target.resolvingSymlinksInPath(), options: exists ? .atomic : .withoutOverwriting)
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) + "." } ?? error.localizedDescription
            throw InspectorError("\(path) cannot be written: \(reason)")
        }
    }
}
