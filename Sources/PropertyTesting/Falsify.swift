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
/// not return is waited for. When the task is cancelled and the body then fails, it says so and blames no input.
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
    await search(generator, examples: examples, settings: settings, isolation: #isolation, body)?.report
}

/// What was found, and the input itself.
struct Finding<Input> {
    var report: Falsified
    var input: Input?
}

func search<Input>(
    _ generator: Gen<Input>,
    examples: [Input],
    settings: PropertySettings,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Finding<Input>? {
    let labels = Labels()
    return await Labels.$current.withValue(labels) {
        // A closure runs on the actor it captures; without it, each case would go to another thread and back.
        _ = isolation
        let search = Search(generator: generator, settings: settings, labels: labels)
        return await search.run(examples: examples, body)
    }
}

private struct Search<Input> {
    let generator: Gen<Input>
    let settings: PropertySettings
    let labels: Labels

    nonisolated(nonsending) func run(
        examples: [Input], _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        guard settings.cases > 0 || (settings.cases == 0 && settings.replay != nil) else {
            fatalError(
                """
                A property with \(settings.cases) cases tries no input and always passes. To fix, set `cases` to 1 or \
                more.
                """
            )
        }
        for (index, example) in examples.enumerated() {
            do {
                try await body(example)
                labels.endCase(counts: true)
            } catch is Discarded {
                labels.endCase(counts: false)
            } catch {
                labels.endCase(counts: true)
                if Task.isCancelled { return finish(Falsified(reason: .cancelled)) }
                return await report(
                    example, error, first: nil, history: nil, replay: nil, name: "example \(index + 1)", body)
            }
        }
        return await tryCases(body)
    }

    /// One loop with one source: what a case costs beyond its body is paid by every test.
    private nonisolated(nonsending) func tryCases(
        _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        var cases = Cases(settings)
        var source = Source(seed: 0, size: 1)
        while let current = cases.next() {
            source.restart(seed: current.seed, size: current.size)
            do {
                let input = try generator.run(&source)
                do {
                    try await body(input)
                    cases.countPassed()
                    labels.endCase(counts: true)
                } catch is Discarded {
                    cases.countDiscarded()
                    labels.endCase(counts: false)
                } catch {
                    labels.endCase(counts: true)
                    // A cancelled body fails for every input: this one is not to blame.
                    if Task.isCancelled { return finish(Falsified(reason: .cancelled)) }
                    return await shrink(input, error, source.choices, current, body)
                }
            } catch {
                cases.countDiscarded()
            }
        }
        if cases.isGivenUp { return finish(Falsified(reason: .discarded(ran: cases.ran, discarded: cases.discarded))) }
        let missing = labels.missing
        return missing.isEmpty ? nil : finish(Falsified(reason: .notCovered(missing)))
    }

    private nonisolated(nonsending) func shrink(
        _ input: Input, _ error: any Error, _ choices: [UInt64], _ current: Cases.Case,
        _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input> {
        labels.close()
        let first = Printed.excerpt(of: input)
        var shrinker = Shrinker(
            generator: generator, size: current.size, limit: settings.shrinkTries, best: choices, input: input,
            error: error)
        await shrinker.run(body)
        let shrinks = shrinker.shrinks == 1 ? "1 shrink" : "\(shrinker.shrinks) shrinks"
        return await report(
            shrinker.input, shrinker.error, first: first,
            history: "\(current.name), \(shrinks) in \(shrinker.tries) tries",
            replay: Replay(seed: current.seed, size: current.size), name: current.name, body)
    }

    private nonisolated(nonsending) func report(
        _ input: Input, _ error: any Error, first: String?, history: String?, replay: Replay?, name: String,
        _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input> {
        labels.close()
        var reason = Falsified.Reason.failed(error)
        // Since it was cancelled, whether it fails says nothing.
        if !Task.isCancelled {
            do {
                try await body(input)
                reason = .flaky(error)
            } catch  where !Task.isCancelled {
                reason = .failed(error)
            } catch {}
        }
        var report = Falsified(reason: reason)
        // After the last run, so that functions among the input print what they were asked.
        report.counterexample = Printed.excerpt(of: input) + (history == nil ? " (\(name))" : "")
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
