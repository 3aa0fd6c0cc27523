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

    func expect(
        _ resource: Resource<Log, Trouble, String>, _ body: EnvIO<Log, Trouble, Int> = .pure(1),
        endsAs end: Outcome<Int, Trouble>, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let log = Log()
        let program = resource.use { name in EnvIO { (log: Log) in log.append("use \(name)") }.followed(by: body) }
        let outcome = await Reporting.$isSilent.withValue(true) { await program.outcome(log) }
        #expect(outcome == end, sourceLocation: sourceLocation)
        #expect(log.lines == lines, sourceLocation: sourceLocation)
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
        await expect(both(), endsAs: .value(1), ["+file", "+line", "use file and line", "-line", "-file"])
    }

    @Test("A failed acquisition is mapped, and earlier resources are released with that failure")
    func acquire() async {
        await expect(both(disk: (DiskFull(), nil)), endsAs: .failure(.disk(DiskFull())), ["+file"])
        await expect(
            both(network: (Refused(), nil)), endsAs: .failure(.network(Refused())),
            ["+file", "+line", "-file after \(Trouble.network(Refused()))"])
    }

    @Test("A failed release is mapped, and earlier resources are still released")
    func release() async {
        await expect(
            both(network: (nil, Refused())), endsAs: .failure(.network(Refused())),
            ["+file", "+line", "use file and line", "-line", "-file after \(Trouble.network(Refused()))"])
        await expect(
            both(disk: (nil, DiskFull())), endsAs: .failure(.disk(DiskFull())),
            ["+file", "+line", "use file and line", "-line", "-file"])
    }

    @Test("A failure of the use is not mapped, even if releases fail after it")
    func use() async {
        await expect(
            both(disk: (nil, DiskFull()), network: (nil, Refused())), .fail(.use), endsAs: .failure(.use),
            ["+file", "+line", "use file and line", "-line after use", "-file after use"])
    }

    @Test("Two failure mappings of nested resources apply one after the other")
    func twice() async {
        let inner = both(network: (Refused(), nil)).mapError { trouble in trouble == .use ? DiskFull() : DiskFull() }
        let full = Trouble.disk(DiskFull())
        await expect(
            held("door", as: Trouble.self).flatMap { _ in inner.mapError { Trouble.disk($0) } },
            endsAs: .failure(full), ["+door", "+file", "+line", "-file after \(full)", "-door after \(full)"])
    }

    @Test("A resource that cannot fail combines with resources of another failure type")
    func setFailureType() async {
        let quiet = held("quiet", as: Never.self).setFailureType(to: Trouble.self)
        await expect(
            quiet.zip(both()).map { "\($0) and \($1)" }, .fail(.use), endsAs: .failure(.use),
            [
                "+quiet", "+file", "+line", "use quiet and file and line", "-line after use", "-file after use",
                "-quiet after use",
            ])
    }

    @Test("The release of a mapped resource receives the cancellation of the use")
    func cancelled() async {
        await expect(
            both(), .cancelled, endsAs: .cancelled,
            [
                "+file", "+line", "use file and line", "-line after all was cancelled",
                "-file after all was cancelled",
            ])
    }
}
