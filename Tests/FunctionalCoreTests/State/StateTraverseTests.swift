import FunctionalCore
import TestSupport
import Testing

@Suite("traverse with State", .timeLimit(.minutes(10)))
struct StateTraverseTests {
    @Test func eachElementSeesTheStateThatThePreviousOneLeft() {
        let numbered = ["a", "b", "c"].traverse { name in
            State<Int, String>.update { count in
                count += 1
                return "\(count) \(name)"
            }
        }
        #expect(numbered.run(0) == (["1 a", "2 b", "3 c"], 3))
        #expect(numbered.run(10) == (["11 a", "12 b", "13 c"], 13))
        #expect([String]().traverse { State<Int, String>.pure($0) }.run(4) == ([], 4))
    }

    @Test func theProgramOfAnElementIsBuiltWhenThePreviousOneHasRun() {
        let log = Log()
        let program = [1, 2].traverse { number in
            log.append("build \(number)")
            return State<Int, Void>.update { _ in log.append("run \(number)") }
        }
        #expect(log.lines.isEmpty)
        _ = program.run(0)
        #expect(log.lines == ["build 1", "run 1", "build 2", "run 2"])
    }

    @Test func sequenceRunsTheProgramsInOrder() {
        let programs = [
            State<[Int], Int>.update {
                $0.append(1)
                return 10
            },
            .update {
                $0.append(2)
                return 20
            },
        ]
        #expect(programs.sequence().run([]) == ([10, 20], [1, 2]))
        #expect([EnvIO<Int, Never, Int>.ask(), .pure(2)].sequence().runSync(1) == [1, 2])
    }

    @Test func oneDescriptionRunsOnManyThreads() async {
        let program = (0..<100).traverse { number in
            State<Int, Int>.update {
                $0 += number
                return $0
            }
        }
        await withTaskGroup { group in
            for start in 0..<20 { group.addTask { #expect(program.run(start).1 == start + 4_950) } }
        }
    }

    @Test func theStateIsNotCopied() {
        let program = (0..<1_000).traverse { index in State<[Int], Void>.update { $0[index] += 1 } }
        var numbers = Array(repeating: 0, count: 1_000)
        let before = numbers.withUnsafeBufferPointer { $0.baseAddress }
        _ = program.run(&numbers)
        #expect(numbers.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(numbers.allSatisfy { $0 == 1 })
    }
}
