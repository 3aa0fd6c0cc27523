import FunctionalCore
import TestSupport
import Testing

/// Resources with different failure types, and the outcomes that their releases receive.
@Suite("Resource: failures", .timeLimit(.minutes(10)))
struct ResourceFailingTests {
    struct DiskFull: Error, Equatable {}
    struct Refused: Error, Equatable {}

    enum Trouble: Error, Equatable {
        case disk(DiskFull)
        case network(Refused)
        case use
    }

    /// Returns a resource that logs its acquisition, and its release with the outcome that the release receives.
    func held<Failure: Error & Equatable>(
        _ name: String, acquireFailure: Failure? = nil, releaseFailure: Failure? = nil, as type: Failure.Type
    ) -> Resource<Log, Failure, String> {
        Resource(
            acquire: EnvIO { (log: Log) throws(Failure) in
                log.append("+\(name)")
                if let acquireFailure { throw acquireFailure }
                return name
            },
            releaseCase: { name, end in
                EnvIO { (log: Log) throws(Failure) in
                    switch end {
                    case .value: log.append("-\(name)")
                    case .failure(let failure): log.append("-\(name) after \(failure)")
                    case .cancelled: log.append("-\(name) after all was cancelled")
                    }
                    if let releaseFailure { throw releaseFailure }
                }
            })
    }

    func end(
        of resource: Resource<Log, Trouble, String>, _ body: EnvIO<Log, Trouble, Int> = .pure(1)
    ) async -> (Outcome<Int, Trouble>, [String]) {
        let log = Log()
        let outcome = await resource.use { name in
            EnvIO { (log: Log) in log.append("use \(name)") }.followed(by: body)
        }
        .outcome(log)
        return (outcome, log.lines)
    }

    func both(
        disk: (acquire: DiskFull?, release: DiskFull?) = (nil, nil),
        network: (acquire: Refused?, release: Refused?) = (nil, nil)
    ) -> Resource<Log, Trouble, String> {
        let file = held("file", acquireFailure: disk.acquire, releaseFailure: disk.release, as: DiskFull.self)
        let line = held("line", acquireFailure: network.acquire, releaseFailure: network.release, as: Refused.self)
        return file.mapError { Trouble.disk($0) }.zip(line.mapError { Trouble.network($0) }).map { "\($0) and \($1)" }
    }

    @Test("Resources with different failure types combine after mapping to one type")
    func together() async {
        let (outcome, lines) = await end(of: both())
        #expect(outcome == .value(1))
        #expect(lines == ["+file", "+line", "use file and line", "-line", "-file"])
    }

    @Test("A failed acquisition is mapped, and earlier resources are released with that failure")
    func acquire() async {
        let (first, firstLines) = await end(of: both(disk: (DiskFull(), nil)))
        #expect(first == .failure(.disk(DiskFull())))
        #expect(firstLines == ["+file"])
        let (second, secondLines) = await end(of: both(network: (Refused(), nil)))
        #expect(second == .failure(.network(Refused())))
        #expect(secondLines == ["+file", "+line", "-file after \(Trouble.network(Refused()))"])
    }

    @Test("A failed release is mapped, and earlier resources are still released")
    func release() async {
        let (outcome, lines) = await end(of: both(network: (nil, Refused())))
        #expect(outcome == .failure(.network(Refused())))
        #expect(lines == ["+file", "+line", "use file and line", "-line", "-file after \(Trouble.network(Refused()))"])
        let (last, _) = await end(of: both(disk: (nil, DiskFull())))
        #expect(last == .failure(.disk(DiskFull())))
    }

    @Test("A failure of the use is not mapped, even if releases fail after it")
    func use() async {
        let (outcome, lines) = await Reporting.$isSilent.withValue(true) {
            await end(of: both(disk: (nil, DiskFull()), network: (nil, Refused())), .fail(.use))
        }
        #expect(outcome == .failure(.use))
        #expect(lines == ["+file", "+line", "use file and line", "-line after use", "-file after use"])
    }

    @Test("Two failure mappings of nested resources apply one after the other")
    func twice() async {
        let inner = both(network: (Refused(), nil)).mapError { trouble in trouble == .use ? DiskFull() : DiskFull() }
        let (outcome, lines) = await end(
            of: held("door", as: Trouble.self).flatMap { _ in inner.mapError { Trouble.disk($0) } })
        #expect(outcome == .failure(.disk(DiskFull())))
        #expect(
            lines == [
                "+door", "+file", "+line", "-file after \(Trouble.disk(DiskFull()))",
                "-door after \(Trouble.disk(DiskFull()))",
            ])
    }

    @Test("A resource that cannot fail combines with resources of another failure type")
    func setFailureType() async {
        let quiet = held("quiet", as: Never.self).setFailureType(to: Trouble.self)
        let (outcome, lines) = await end(of: quiet.zip(both()).map { "\($0) and \($1)" }, .fail(.use))
        #expect(outcome == .failure(.use))
        #expect(lines.suffix(3) == ["-line after use", "-file after use", "-quiet after use"])
    }

    @Test("The release of a mapped resource receives the cancellation of the use")
    func cancelled() async {
        let (outcome, lines) = await end(of: both(), .cancelled)
        #expect(outcome == .cancelled)
        #expect(
            lines.suffix(2) == ["-line after all was cancelled", "-file after all was cancelled"])
    }
}
