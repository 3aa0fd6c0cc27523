import FunctionalCore
import TestSupport
import Testing

@Suite("traverse with State", .timeLimit(.minutes(10)))
struct StateTraverseTests {
    @Test func theProgramOfAnElementIsBuiltWhenThePreviousOneHasRun() {
        let log = Log()
        let program = [1, 2].traverse { number in
            log.append("build \(number)")
            return State<Int, Void>.update { _ in log.append("run \(number)") }
        }
        #expect(log.lines.isEmpty)
        _ = program.run(0)
        #expect(log.lines == ["build 1", "run 1", "build 2", "run 2"])
        #expect([String]().traverse { State<Int, String>.pure($0) }.run(4) == ([], 4))
    }

    @Test func oneDescriptionRunsOnManyThreads() async {
        let program = (0..<100).traverse { number in
            State<Int, Int>.update {
                $0 += number
                return $0
            }
        }
        await withTaskGroup { group in
            for start in 0..<20 {
                group.addTask {
                    let (values, state) = program.run(start)
                    #expect(values == (0..<100).map { start + $0 * ($0 + 1) / 2 })
                    #expect(state == start + 4_950)
                }
            }
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
