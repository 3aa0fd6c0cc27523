import FunctionalCore
import FunctionalLaws
import PropertyTesting
import TestSupport

/// Types that break a law of monoids or semigroups.
enum MonoidMutants {
    struct Difference: Monoid, Equatable {
        var value: Int
        func combine(_ other: Difference) -> Difference { Difference(value: value - other.value) }
        static var empty: Difference { Difference(value: 0) }
    }

    struct WrongEmpty: Monoid, Equatable {
        var value: Int
        func combine(_ other: WrongEmpty) -> WrongEmpty { WrongEmpty(value: value + other.value) }
        static var empty: WrongEmpty { WrongEmpty(value: 1) }
    }

    struct KeepsLeft: Monoid, Equatable {
        var value: Int
        func combine(_ other: KeepsLeft) -> KeepsLeft { self }
        static var empty: KeepsLeft { KeepsLeft(value: 0) }
    }

    struct KeepsRight: Monoid, Equatable {
        var value: Int
        func combine(_ other: KeepsRight) -> KeepsRight { other }
        static var empty: KeepsRight { KeepsRight(value: 0) }
    }

    struct CountsEmpties: Monoid, Equatable {
        private static let empties = ReducerMutants.Box(0)
        var value: Int
        func combine(_ other: CountsEmpties) -> CountsEmpties { CountsEmpties(value: value + other.value) }
        static var empty: CountsEmpties {
            empties.add(1)
            return CountsEmpties(value: empties.number)
        }
    }

    struct CountsCombinations: Semigroup, Equatable {
        private static let combinations = ReducerMutants.Box(0)
        var value: Int
        func combine(_ other: CountsCombinations) -> CountsCombinations {
            Self.combinations.add(1)
            return CountsCombinations(value: value + other.value + Self.combinations.number)
        }
    }

    static var all: [Mutant] {
        [
            Mutant("monoid that subtracts", [MonoidLaw.associativity, .leftIdentity]) {
                $0.property(of: number.map { Difference(value: $0) })
            },
            Mutant("monoid whose empty is never the same", [MonoidLaw.combineAllOfNone]) {
                $0.property(of: number.map { CountsEmpties(value: $0) })
            },
            Mutant("semigroup that counts its combinations", [SemigroupLaw.repeatability]) {
                $0.property(of: number.map { CountsCombinations(value: $0) })
            },
            Mutant("monoid with a wrong empty", [MonoidLaw.leftIdentity, .rightIdentity, .combineAll]) {
                $0.property(of: number.map { WrongEmpty(value: $0) })
            },
            Mutant("monoid that keeps the left", [MonoidLaw.leftIdentity]) {
                $0.property(of: number.map { KeepsLeft(value: $0) })
            },
            Mutant("monoid that keeps the right", [MonoidLaw.rightIdentity]) {
                $0.property(of: number.map { KeepsRight(value: $0) })
            },
            Mutant("semigroup that subtracts", [SemigroupLaw.associativity]) {
                $0.property(of: number.map { Difference(value: $0) })
            },
        ]
    }
}

/// Operations on `State` that break a law.
enum StateMutants {
    struct FlatMapForgetsTheChange: StateAlgebra {
        func flatMap<S, A, B>(
            _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
        ) -> State<S, B> {
            State { state in next(program.eval(state)).run(&state) }
        }
    }

    struct MapRunsTwice: StateAlgebra {
        func map<S, A, B>(_ program: State<S, A>, _ transform: @escaping @Sendable (A) -> B) -> State<S, B> {
            program.followed(by: program).map(transform)
        }
    }

    struct SetIsIgnored: StateAlgebra {
        func set<S: Sendable>(_ state: S) -> State<S, Void> { .update { _ in } }
    }

    struct ModifyChangesTwice: StateAlgebra {
        func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void> {
            .modify { transform(transform($0)) }
        }
    }

    struct ZipRunsTheRightFirst: StateAlgebra {
        func zip<S, A, B>(_ program: State<S, A>, _ other: State<S, B>) -> State<S, (A, B)> {
            other.zip(program).map { ($1, $0) }
        }
    }

    struct FlatMapRunsTwice: StateAlgebra {
        func flatMap<S, A, B>(
            _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
        ) -> State<S, B> { program.followed(by: program).flatMap(next) }
    }

    struct PureChangesTheState: StateAlgebra {
        func pure<S, A: Sendable>(_ value: A) -> State<S, A> {
            State<S, Void>.update { disturb(&$0) }.as(value)
        }
    }

    struct GetChangesTheState: StateAlgebra {
        func get<S>() -> State<S, S> {
            State { state in
                defer { disturb(&state) }
                return state
            }
        }
    }

    struct SetAddsToTheState: StateAlgebra {
        func set<S: Sendable>(_ state: S) -> State<S, Void> {
            .update { old in
                let seen = (old as? StateCells)?.seen ?? []
                old = state
                guard var cells = old as? StateCells else { return }
                cells.seen += seen
                if let cells = cells as? S { old = cells }
            }
        }
    }

    struct ModifyChangesMore: StateAlgebra {
        func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void> {
            State.modify(transform).followed(by: .update { disturb(&$0) })
        }
    }

    struct BindingRunsTheFirstTwice: StateAlgebra {
        func binding<S, A, B, C>(
            _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>,
            yield transform: @escaping @Sendable (A, B) -> C
        ) -> State<S, C> {
            LibraryStates().binding(program.followed(by: program), next, yield: transform)
        }
    }

    struct TraverseRunsTheLastFirst: StateAlgebra {
        func traverse<Element: Sendable, S, A>(
            _ elements: [Element], _ program: @escaping @Sendable (Element) -> State<S, A>
        ) -> State<S, [A]> { elements.reversed().traverse(program).map { $0.reversed() } }
    }

    struct SequenceIsReversed: StateAlgebra {
        func sequence<S, A>(_ programs: [State<S, A>]) -> State<S, [A]> { programs.reversed().sequence() }
    }

    static var all: [Mutant] {
        [
            mutant(
                "whose flatMap forgets the change", [.setGet, .rightIdentity, .followed, .comprehension],
                FlatMapForgetsTheChange()),
            mutant("whose flatMap runs twice", [.associativity, .followed], FlatMapRunsTwice()),
            mutant("whose pure changes the state", [.pure, .leftIdentity], PureChangesTheState()),
            mutant("whose get changes the state", [.getGet, .inspect], GetChangesTheState()),
            mutant("whose set adds to the state", [.setSet, .getSet], SetAddsToTheState()),
            mutant("whose modify changes more", [.modifyModify, .modifyIdentity], ModifyChangesMore()),
            mutant("whose map runs twice", [.mapIdentity, .mapComposition, .mapIsFlatMap, .asAndVoid], MapRunsTwice()),
            mutant("whose set is ignored", [.setGet, .modify], SetIsIgnored()),
            mutant("whose modify changes twice", [.modify, .update], ModifyChangesTwice()),
            mutant("whose zip runs the right first", [.zip], ZipRunsTheRightFirst()),
            mutant("whose binding runs the first twice", [.comprehension], BindingRunsTheFirstTwice()),
            mutant("whose traverse runs the last first", [.traverseIsZip], TraverseRunsTheLastFirst()),
            mutant("whose sequence is reversed", [.sequenceIsZip], SequenceIsReversed()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<StateLaw>, _ algebra: some StateAlgebra) -> Mutant {
        Mutant("state \(name)", laws) { $0.property(of: algebra) }
    }
}

/// Increments a number in the state if its type is that of the law kit.
private func disturb<S>(_ state: inout S) {
    guard var cells = state as? StateCells else { return }
    cells.a &+= 1
    if let cells = cells as? S { state = cells }
}

/// Operations on programs that break a law.
enum ProgramMutants {
    struct FlatMapRunsTwice: EnvIOAlgebra {
        func flatMap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, B> { program.followed(by: program).flatMap(next) }
    }

    struct ZipRunsTheRightFirst: EnvIOAlgebra {
        func zip<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
        ) -> EnvIO<E, F, (A, B)> { other.zip(program).map { ($1, $0) } }
    }

    struct HandlingIsIgnored: EnvIOAlgebra {
        func handleErrorWith<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { program }
    }

    struct ContramapIsAppliedTwice: EnvIOAlgebra {
        func contramap<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
        ) -> EnvIO<E, F, A> { program.contramap { transform(transform($0)) } }
    }

    struct MapWrites: EnvIOAlgebra {
        func map<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (A) -> B
        ) -> EnvIO<E, F, B> { writing("map").followed(by: program.map(transform)) }
    }

    struct PureWrites: EnvIOAlgebra {
        func pure<E, F: Error, A: Sendable>(_ value: A) -> EnvIO<E, F, A> { writing("pure").as(value) }
    }

    struct FailWrites: EnvIOAlgebra {
        func fail<E, F: Error, A>(_ failure: F) -> EnvIO<E, F, A> { writing("fail").followed(by: .fail(failure)) }
    }

    struct FlatMapRunsTheNextTwice: EnvIOAlgebra {
        func flatMap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, B> {
            program.flatMap { value in
                let next = next(value)
                return next.followed(by: next)
            }
        }
    }

    struct FlatMapWritesFailures: EnvIOAlgebra {
        func flatMap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, B> {
            program.handleErrorWith { writing("failed").followed(by: .fail($0)) }.flatMap(next)
        }
    }

    struct HandlingWrites: EnvIOAlgebra {
        func handleErrorWith<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { writing("handle").followed(by: program.handleErrorWith(handler)) }
    }

    struct AttemptWrites: EnvIOAlgebra {
        func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>> {
            writing("attempt").followed(by: program.attempt())
        }
    }

    struct MapErrorRetries: EnvIOAlgebra {
        func mapError<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
        ) -> EnvIO<E, F, A> { program.handleErrorWith { _ in program.mapError(transform) } }
    }

    struct MapErrorIsAppliedTwice: EnvIOAlgebra {
        func mapError<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
        ) -> EnvIO<E, F, A> { program.mapError { transform(transform($0)) } }
    }

    struct ContramapWrites: EnvIOAlgebra {
        func contramap<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
        ) -> EnvIO<E, F, A> { writing("contramap").followed(by: program.contramap(transform)) }
    }

    struct SuspendRunsTwice: EnvIOAlgebra {
        func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A> {
            .suspend { build().followed(by: build()) }
        }
    }

    struct AsyncRegistersTwice: EnvIOAlgebra {
        func async<E, F: Error, A: Sendable>(
            _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
        ) -> EnvIO<E, F, A> {
            .async { world, done in
                register(world, done)
                register(world, done)
            }
        }
    }

    struct AsyncTakesTheLastCall: EnvIOAlgebra {
        func async<E, F: Error, A: Sendable>(
            _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
        ) -> EnvIO<E, F, A> {
            .async { world, done in
                let calls = Record<Result<A, F>>()
                register(world) { calls.append($0) }
                if let last = calls.values.last { done(last) }
            }
        }
    }

    struct ReleasesTwice: EnvIOAlgebra {
        func bracketCase<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            .bracketCase(
                acquire: acquire, release: { release($0, $1).followed(by: release($0, $1)) }, use: use)
        }
    }

    struct GuaranteesOnSuccessAlone: EnvIOAlgebra {
        func guarantee<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> {
            program.guaranteeCase { end in if case .value = end { finalizer } else { EnvIO { _ in } } }
        }
    }

    struct OnCancelRunsAlways: EnvIOAlgebra {
        func onCancel<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { program.guarantee(finalizer) }
    }

    struct RegionsRunTwice: EnvIOAlgebra {
        func uncancellable<E, F: Error, A>(
            _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { .uncancellable { body($0).followed(by: body($0)) } }
    }

    struct CancelledWrites: EnvIOAlgebra {
        func cancelled<E, F: Error, A>() -> EnvIO<E, F, A> { writing("cancelled").followed(by: .cancelled) }
    }

    struct RaceRunsTheWinnerTwice: EnvIOAlgebra {
        func race<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { program.race(other).followed(by: program.race(other)) }
    }

    struct ParZipWritesTheLeft: EnvIOAlgebra {
        func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
        ) -> EnvIO<E, F, (A, B)> { program.flatMap { writing("\($0)").as($0) }.parZip(other) }
    }

    struct TraverseRunsTheLastFirst: EnvIOAlgebra {
        func traverse<Element: Sendable, E, F: Error, A>(
            _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, [A]> { elements.reversed().traverse(program).map { $0.reversed() } }
    }

    struct TraverseBuildsAllFirst: EnvIOAlgebra {
        func traverse<Element: Sendable, E, F: Error, A>(
            _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, [A]> { elements.map(program).traverse { $0 } }
    }

    struct SuspendIsEager: EnvIOAlgebra {
        func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A> {
            build()
        }
    }

    struct GuaranteeCaseHidesFailures: EnvIOAlgebra {
        func guaranteeCase<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { program.guaranteeCase { finalizer($0).handleErrorWith { _ in .pure(()) } } }
    }

    struct ResourceHidesFailures: EnvIOAlgebra {
        func resource<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>,
            releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            Resource(
                acquire: acquire, releaseCase: { releaseCase($0, $1).handleErrorWith { _ in .pure(()) } }
            ).use(use)
        }
    }

    struct ParSequenceIsReversed: EnvIOAlgebra {
        func parSequence<E: Sendable, F: Error, A: Sendable>(
            _ programs: [EnvIO<E, F, A>], limit: Int?
        ) -> EnvIO<E, F, [A]> { programs.reversed().parSequence(limit: limit) }
    }

    /// Returns a program that logs `line` if its environment is the world of the law kit.
    private static func writing<E, F: Error>(_ line: String) -> EnvIO<E, F, Void> {
        .access { ($0 as? ProgramWorld)?.log.append(line) }
    }

    static var all: [Mutant] {
        [
            mutant(
                "whose flatMap runs twice",
                [
                    .rightIdentity, .associativity, .mapIsFlatMap, .followed, .ensure, .notMemoized, .bracketUnit,
                ], FlatMapRunsTwice()),
            mutant(
                "whose flatMap runs the next twice", [.leftIdentity, .askTwice, .accessMIsAsk],
                FlatMapRunsTheNextTwice()),
            mutant("whose flatMap writes failures", [.raiseFlatMap], FlatMapWritesFailures()),
            mutant(
                "whose map writes",
                [
                    .mapIdentity, .mapComposition, .void, .asIsMap, .mapIsFlatMap, .comprehension, .accessIsAsk,
                    .localStays,
                ], MapWrites()),
            mutant(
                "whose pure writes",
                [.leftIdentity, .rightIdentity, .flatten, .pureHandle, .fromResult, .localPure, .guaranteeIsBracket],
                PureWrites()),
            mutant("whose fail writes", [.raiseFlatMap, .throwingIsFail, .attemptFail, .mapErrorFail], FailWrites()),
            mutant("whose zip runs the right first", [.zipIsFlatMap, .failingZip], ZipRunsTheRightFirst()),
            mutant("whose traverse runs the last first", [.traverseIsZip], TraverseRunsTheLastFirst()),
            mutant("whose failures are not handled", [.raiseHandle, .handleIsHandleWith], HandlingIsIgnored()),
            mutant("whose handling writes", [.pureHandle], HandlingWrites()),
            mutant("whose attempt writes", [.attemptFail, .attemptPure, .attemptRethrow], AttemptWrites()),
            mutant("whose mapError tries again", [.mapErrorIdentity], MapErrorRetries()),
            mutant("whose mapError is applied twice", [.mapErrorFail], MapErrorIsAppliedTwice()),
            mutant("whose contramap is applied twice", [.localAsk, .localComposition], ContramapIsAppliedTwice()),
            mutant(
                "whose contramap writes", [.localPure, .localFlatMap, .localIdentity, .provide], ContramapWrites()),
            mutant("whose suspend runs twice", [.suspend], SuspendRunsTwice()),
            mutant("whose async registers twice", [.asyncIsResult], AsyncRegistersTwice()),
            mutant("whose async takes the last call", [.asyncOnce], AsyncTakesTheLastCall()),
            mutant("whose brackets release twice", [.bracketIsBracketCase], ReleasesTwice()),
            mutant(
                "whose guarantee is for successes alone", [.guaranteeIsBracket, .guaranteeIsGuaranteeCase],
                GuaranteesOnSuccessAlone()),
            mutant("whose onCancel runs always", [.onCancelOfEnded], OnCancelRunsAlways()),
            mutant("whose regions run twice", [.pollIsIdentity, .regionsNest], RegionsRunTwice()),
            mutant("whose cancelled writes", [.cancelledFlatMap, .cancelledHandle], CancelledWrites()),
            mutant("whose race runs the winner twice", [.raceLeft, .raceRight], RaceRunsTheWinnerTwice()),
            mutant("whose parZip writes the left", [.parZipIsZip, .parZipCommutes], ParZipWritesTheLeft()),
            mutant("whose traverse builds all programs first", [.traverseIsLazy], TraverseBuildsAllFirst()),
            mutant("whose suspend calls its closure at once", [.suspendIsLazy], SuspendIsEager()),
            mutant(
                "whose guaranteeCase hides failures of the finalizer", [.guaranteeIsGuaranteeCase],
                GuaranteeCaseHidesFailures()),
            mutant(
                "whose resource hides failures of the release", [.resourceIsBracket], ResourceHidesFailures()),
            mutant("whose parSequence is reversed", [.parSequenceIsZip], ParSequenceIsReversed()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<EnvIOLaw>, _ algebra: some EnvIOAlgebra) -> Mutant {
        Mutant("program \(name)", laws, among: tried(for: laws)) { $0.property(of: algebra) }
    }

    /// Returns `laws`, and the laws of the last group that contains one of them. The groups are about composition,
    /// finalizers and parallel programs, and cancellation. Checking all laws for each mutant would take minutes.
    static func tried(for laws: Set<EnvIOLaw>) -> [EnvIOLaw] {
        let all = EnvIOLaw.allCases
        let starts = [.mapIdentity, .bracketIsBracketCase, .cancelledWhileItWaits].compactMap(all.firstIndex)
        let groups = zip(starts, starts.dropFirst() + [all.endIndex]).map { all[$0..<$1] }
        let last = groups.last { !laws.isDisjoint(with: $0) } ?? all[...]
        return all.filter { laws.contains($0) || last.contains($0) }
    }
}
