import FunctionalCore

/// Searches for an input for which a closure throws, and shrinks it.
///
/// `forAll` uses the same search. This function needs no running test. Use it in programs, and in tests that inspect
/// the counterexample. A body fails by throwing an error; see ``require(_:_:)``.
///
/// ```swift
/// let found = await falsify(Gen.int(in: 0...100).array()) { numbers in
///     try require(numbers.reduce(0, +) < 250, "the sum is 250 or more")
/// }
/// ```
///
/// The cases run one after another in the caller's isolation. There is no time limit for the body. If the task is
/// cancelled and the body then fails, the result has the reason ``Falsified/Reason/cancelled`` and no counterexample.
///
/// If an input fails, the body is called again with it. If it passes then, it is reported as
/// ``Falsified/Reason/flaky(_:)``, and is not shrunk.
///
/// Traps if `settings` has no cases and no case to replay, a negative number of tries to shrink, or a confidence below
/// 1.
///
/// - Complexity: At most 11 · n calls of `body` for n ``PropertySettings/cases``, because the search ends if more than
///   10 · n inputs are discarded. Each example and the replayed case add one call. If a case fails, one call follows to
///   see whether it fails again, at most ``PropertySettings/shrinkTries`` calls to shrink it, and one more to see
///   whether the smaller input fails again. The time to shrink is O(t · m) for t tries and an input of m choices, and
///   at most about ``PropertySettings/shrinkTime``. A ``PropertySettings/confidence`` adds cases.
/// - Parameters:
///   - generator: Generates the inputs.
///   - examples: Inputs that are tried before the generated ones, in addition to the cases. They are not shrunk.
///   - settings: The number of cases and other settings. By default, those of the running test.
///   - body: Throws an error for an input that does not pass. It throws ``Discarded`` to get another input.
/// - Returns: The failure, or `nil` if all cases passed.
nonisolated(nonsending) public func falsify<Input>(
    _ generator: Gen<Input>,
    examples: [Input] = [],
    settings: PropertySettings = .current,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Falsified? {
    var examples = Examples(examples)
    return await search(generator, examples: &examples, settings: settings, isolation: #isolation, body)?.report
}

/// The report of a failure, with the failing input as a value.
struct Finding<Input> {
    var report: Falsified
    var input: Input?
}

/// Searches for an input that fails, first among the examples and then, if there is a generator, among its values.
func search<Input>(
    _ generator: Gen<Input>?,
    examples: inout some ExampleSequence<Input>,
    settings: PropertySettings,
    isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) (Input) async throws -> Void
) async -> Finding<Input>? {
    let labels = Labels()
    return await Labels.$current.withValue(labels) {
        // A closure runs on the actor that it captures. Without the capture, each case would switch threads twice.
        _ = isolation
        guard generator == nil || settings.cases > 0 || (settings.cases == 0 && settings.replay != nil) else {
            fatalError(
                """
                A property with \(settings.cases) cases tries no input and always passes. To fix, set `cases` to 1 or \
                more.
                """
            )
        }
        checkCount(settings.shrinkTries, of: "PropertySettings.shrinkTries")
        checkCount(settings.confidence ?? 1, in: 1...(.max), of: "PropertySettings.confidence")
        let search = Search<Input>(settings: settings, labels: labels)
        while let example = examples.next() {
            if let found = await search.tryExample(example, name: examples.name, body) { return found }
        }
        guard let generator else { return search.findingWithoutFailure }
        return await search.tryCases(generator, body)
    }
}

private struct Search<Input> {
    let settings: PropertySettings
    let labels: Labels

    /// The result if no input failed: `nil`, unless no input was tried, or labels are too rare.
    var findingWithoutFailure: Finding<Input>? {
        if let count = labels.untriedCount { return finish(Falsified(reason: .discarded(ran: 0, discarded: count))) }
        let missing = labels.missing(settings.confidence)
        return missing.isEmpty ? nil : finish(Falsified(reason: .notCovered(missing)))
    }

    nonisolated(nonsending) func tryExample(
        _ example: Input, name: String, _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        do {
            try await body(example)
            labels.endCase(counts: true)
        } catch is Discarded {
            labels.endCase(counts: false)
        } catch {
            labels.endCase(counts: true)
            if Task.isCancelled { return finish(Falsified(reason: .cancelled)) }
            labels.close()
            var report = report(example, await rerun(example, error, body))
            report.counterexample?.append(" (\(name))")
            return Finding(report: report, input: example)
        }
        return nil
    }

    /// Tries the generated cases.
    ///
    /// All cases share one source and one loop, to keep the overhead of a case small.
    nonisolated(nonsending) func tryCases(
        _ generator: Gen<Input>, _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input>? {
        var cases = Cases(settings)
        var source = Source(seed: 0, size: 1)
        while let current = cases.next() ?? furtherCase(&cases) {
            if settings.confidence != nil, current.isFirst { labels.restart() }
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
                    // A cancelled body may fail for any input, so the input is not known to be the cause.
                    if Task.isCancelled { return finish(Falsified(reason: .cancelled)) }
                    return await shrink(generator, input, error, source.choices, current, body)
                }
            } catch {
                cases.countDiscarded()
                labels.endCase(counts: false)
            }
        }
        if cases.isGivenUp { return finish(Falsified(reason: .discarded(ran: cases.ran, discarded: cases.discarded))) }
        return findingWithoutFailure
    }

    /// Adds as many cases as there were if the cases so far do not decide whether each label is frequent enough. Returns
    /// the first of them.
    private func furtherCase(_ cases: inout Cases) -> Cases.Case? {
        guard let confidence = settings.confidence, !cases.isGivenUp, labels.areUndecided(confidence) else {
            return nil
        }
        labels.beginRound()
        cases.double()
        return cases.next()
    }

    private nonisolated(nonsending) func shrink(
        _ generator: Gen<Input>, _ input: Input, _ error: any Error, _ choices: [UInt64], _ current: Cases.Case,
        _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Finding<Input> {
        labels.close()
        let first = Printed.excerpt(of: input)
        var shrinker = Shrinker(
            generator: generator, size: current.size, settings: settings, best: choices, input: input, error: error)
        // A body that does not fail again for the first input would not fail again for smaller ones either.
        var reason = await rerun(input, error, body)
        if case .failed = reason {
            await shrinker.run(body)
            if shrinker.shrinks > 0 { reason = await rerun(shrinker.input, shrinker.error, body) }
        }
        var report = report(shrinker.input, reason)
        let shrinks = shrinker.shrinks == 1 ? "1 shrink" : "\(shrinker.shrinks) shrinks"
        let stop = shrinker.stop.map { ", stopped by \($0)" } ?? ""
        report.firstSeen = first
        report.history = "\(current.name), \(shrinks) in \(shrinker.tries) tries\(stop)"
        report.replay = Replay(seed: current.seed, size: current.size)
        return Finding(report: report, input: shrinker.input)
    }

    /// Calls the body again for an input for which it has thrown `error`.
    private nonisolated(nonsending) func rerun(
        _ input: Input, _ error: any Error, _ body: nonisolated(nonsending) (Input) async throws -> Void
    ) async -> Falsified.Reason {
        // After a cancellation, a failure has no meaning.
        if Task.isCancelled { return .failed(error) }
        do {
            try await body(input)
        } catch let other where !(other is Discarded) {
            return .failed(Task.isCancelled ? error : other)
        } catch {}
        // It has passed or, for example after an earlier failure, was discarded.
        return .flaky(error)
    }

    /// Returns the report of a failing input, as text that is made after the last run with the input. So functions in
    /// the input print the calls of that run.
    private func report(_ input: Input, _ reason: Falsified.Reason) -> Falsified {
        var report = Falsified(reason: reason)
        report.counterexample = Printed.excerpt(of: input)
        report.labels = labels.description
        return report
    }

    func finish(_ report: Falsified) -> Finding<Input> {
        var report = report
        report.labels = labels.description
        return Finding(report: report, input: nil)
    }
}
