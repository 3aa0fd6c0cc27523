import FunctionalCore
import FunctionalLaws
import PropertyTesting

/// Monoids that are none.
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

    static var all: [Mutant] {
        [
            Mutant("monoid that subtracts", [MonoidLaw.associativity, .leftIdentity]) {
                $0.property(of: number.map { Difference(value: $0) })
            },
            Mutant("monoid with a wrong empty", [MonoidLaw.leftIdentity, .rightIdentity]) {
                $0.property(of: number.map { WrongEmpty(value: $0) })
            },
            Mutant("monoid that keeps the left", [MonoidLaw.leftIdentity]) {
                $0.property(of: number.map { KeepsLeft(value: $0) })
            },
            Mutant("semigroup that subtracts", [SemigroupLaw.associativity]) {
                $0.property(of: number.map { Difference(value: $0) })
            },
        ]
    }
}

/// State monads that are none.
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

    static var all: [Mutant] {
        [
            mutant("whose flatMap forgets the change", [.setGet, .rightIdentity], FlatMapForgetsTheChange()),
            mutant("whose map runs twice", [.mapIdentity, .mapIsFlatMap], MapRunsTwice()),
            mutant("whose set is ignored", [.setGet, .modify], SetIsIgnored()),
            mutant("whose modify changes twice", [.modify, .update], ModifyChangesTwice()),
            mutant("whose zip runs the right first", [.zip], ZipRunsTheRightFirst()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<StateLaw>, _ algebra: some StateAlgebra) -> Mutant {
        Mutant("state \(name)", laws) { $0.property(of: algebra) }
    }
}

/// Programs that are wrong.
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

    static var all: [Mutant] {
        [
            mutant("whose flatMap runs twice", [.rightIdentity, .mapIsFlatMap], FlatMapRunsTwice()),
            mutant("whose zip runs the right first", [.zipIsFlatMap, .failingZip], ZipRunsTheRightFirst()),
            mutant("whose failures are not handled", [.raiseHandle, .handleIsHandleWith], HandlingIsIgnored()),
            mutant("whose contramap is applied twice", [.localComposition], ContramapIsAppliedTwice()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<EnvIOLaw>, _ algebra: some EnvIOAlgebra) -> Mutant {
        Mutant("program \(name)", laws) { $0.property(of: algebra) }
    }
}
