import Foundation
import Opacity

/// The work whose instructions `.ci/instructions` counts.
///
/// The script runs this program under callgrind, which counts each call of `opacity_counted` separately.
enum CountedWork {
    static let argument = "--count-instructions"

    /// A body with more operations takes too long under callgrind.
    private static let operations = 10_000

    /// Calls each body once to be counted, and prints the number of its operations and the name of its line.
    static func run(_ rows: [Row], where isChosen: (String) -> Bool) {
        for row in rows where row.isCounted {
            var seen: Set<ObjectIdentifier> = []
            for line in row.lines() {
                guard case .time(let work, _) = line.kind, let subject = work.subjects.first, subject.isSync,
                    subject.operations <= operations, isChosen(row.name(of: line)),
                    seen.insert(ObjectIdentifier(subject)).inserted
                else { continue }
                // What is made once, such as a table or a cache, is not counted.
                for _ in 0..<3 { subject.call() }
                count(subject)
                if !subject.isRight {
                    print("\(row.name(of: line)) did not do what it should.")
                    exit(1)
                }
                print("\(subject.operations)\t\(row.name(of: line))")
            }
        }
    }

    private static func count(_ subject: Subject) {
        opacity_counted(
            { subject in Unmanaged<Subject>.fromOpaque(subject!).takeUnretainedValue().call() },
            Unmanaged.passUnretained(subject).toOpaque())
    }
}
