/// Looks for an input for which `body` throws, and makes it as small as it can.
///
/// This is the core of `forAll` and needs no test run: use it in programs, and where
/// what was found is to be looked at. A body fails by throwing; see ``require(_:_:)``.
///
/// ```swift
/// let found = await falsify(Gen.int(in: 0...100).array()) { numbers in
///     try require(numbers.reduce(0, +) < 250, "the sum is 250 or more")
/// }
/// ```
///
/// Runs where it is called, one case after the other. Shrinking ends after 2,000 tries at the latest; a body that does
/// not return is waited for.
///
/// - Parameters:
///   - generator: Makes the inputs.
///   - examples: Inputs that are tried first, each time. They are reported as they are.
///   - settings: How many cases; what the running test's traits say, unless given.
///   - body: Throws for an input that should not pass. ``Discarded`` asks for another input.
/// - Returns: What was found; `nil` when all cases passed.
nonisolated(nonsending) public func falsify<Input>(
    _ generator: Gen<Input>,
    examples: [Input] = [],
    settings: PropertySettings = .current,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Falsified? {
    await search(generator, examples: examples, settings: settings, body)?.report
}

/// What was found, and the input itself.
struct Finding<Input> {
    var report: Falsified
    var input: Input?
}

nonisolated(nonsending) func search<Input>(
    _ generator: Gen<Input>,
    examples: [Input],
    settings: PropertySettings,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Finding<Input>? {
    let labels = Labels()
    return await Labels.$current.withValue(labels) {
        var search = Search(generator: generator, settings: settings, labels: labels)
        return await search.run(examples: examples, body)
    }
}

private struct Search<Input> {
    let generator: Gen<Input>
    let settings: PropertySettings
    let labels: Labels
    var ran = 0
    var discarded = 0

    nonisolated(nonsending) mutating func run(
        examples: [Input], _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        for (index, example) in examples.enumerated() {
            guard let error = await failure(example, body) else { continue }
            return await report(
                example, error, first: nil, history: nil, replay: nil, name: "example \(index + 1)", body)
        }
        if let replay = settings.replay,
            let finding = await tryCase(seed: replay.seed, size: replay.size, name: "replayed", body)
        {
            return finding
        }
        // What is tried besides takes none of the generated cases' places.
        (ran, discarded) = (0, 0)
        let seed = settings.seed ?? UInt64.random(in: 0 ... .max)
        var attempt: UInt64 = 0
        while ran < settings.cases {
            let size = settings.cases == 1 ? 100 : 1 + ran * 99 / (settings.cases - 1)
            let name = "case \(ran + 1) of \(settings.cases)"
            let caseSeed = RandomNumbers.mixed(seed &+ attempt &* 0x9E37_79B9_7F4A_7C15)
            if let finding = await tryCase(seed: caseSeed, size: size, name: name, body) { return finding }
            attempt += 1
            guard discarded <= settings.cases * 10 else {
                return finish(Falsified(reason: .discarded(ran: ran, discarded: discarded)))
            }
        }
        let missing = labels.missing
        return missing.isEmpty ? nil : finish(Falsified(reason: .notCovered(missing)))
    }

    private nonisolated(nonsending) mutating func tryCase(
        seed: UInt64, size: Int, name: String, _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        var source = Source(seed: seed, size: size)
        guard let input = try? generator.run(&source) else {
            discarded += 1
            return nil
        }
        guard let error = await failure(input, body) else { return nil }
        labels.close()
        let first = Printed.text(of: input)
        var shrinker = Shrinker(
            generator: generator, size: size, limit: settings.shrinkTries, best: source.choices, input: input,
            error: error)
        await shrinker.run(body)
        let shrinks = shrinker.shrinks == 1 ? "1 shrink" : "\(shrinker.shrinks) shrinks"
        return await report(
            shrinker.input, shrinker.error, first: first,
            history: "\(name), \(shrinks) in \(shrinker.tries) tries",
            replay: Replay(seed: seed, size: size), name: name, body)
    }

    /// What the body throws for `input`, and nothing when it passes or is discarded.
    private nonisolated(nonsending) mutating func failure(
        _ input: Input, _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> (any Error)? {
        do {
            try await body(input)
            ran += 1
            labels.endCase(counts: true)
            return nil
        } catch is Discarded {
            discarded += 1
            labels.endCase(counts: false)
            return nil
        } catch {
            labels.endCase(counts: true)
            return error
        }
    }

    private nonisolated(nonsending) func report(
        _ input: Input, _ error: any Error, first: String?, history: String?, replay: Replay?, name: String,
        _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input> {
        labels.close()
        var reason = Falsified.Reason.flaky(error)
        do { try await body(input) } catch { reason = .failed(error) }
        var report = Falsified(reason: reason)
        // After the last run, so that functions among the input print what they were asked.
        report.counterexample = Printed.text(of: input) + (history == nil ? " (\(name))" : "")
        report.firstSeen = first
        report.history = history
        report.replay = replay
        report.labels = labels.description
        return Finding(report: report, input: input)
    }

    private func finish(_ report: Falsified) -> Finding<Input> {
        var report = report
        report.labels = labels.description
        return Finding(report: report, input: nil)
    }
}
