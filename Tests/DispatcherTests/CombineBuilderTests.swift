import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

private typealias Lines = StateDispatcher<Void, [String], Int>

/// Returns a child with two actions for each input. Both actions append the name of the child.
private func child(_ name: String) -> Lines {
    .workflow { input in [.pure(.update { $0.append("\(name)\(input)") }), .pure(.update { $0.append(name) })] }
}

private func lines(of dispatcher: Lines) -> [String] {
    let component = Component(initialState: [], environment: (), dispatcher: dispatcher)
    component.send(1)
    component.send(2)
    return component.state
}

private struct Part: Equatable, Sendable { var names: [String] = [] }
private struct Whole: Equatable, Sendable { var left = Part(), right = Part(), missing: Part? }
private enum WholeInput: AutoPrism, Sendable {
    case left(String)
    case right(String)
    case missing(String)
    case other
}

private let part = StateDispatcher<String, Part, String>.effectful { input in
    EnvIO { prefix in .update { $0.names.append(prefix + input) } }
}

@Suite("StateDispatcher.combine { … }", .timeLimit(.minutes(10)))
struct CombineBuilderTests {
    @Test("An empty block has no actions")
    func emptyBlock() {
        #expect(Lines.combine {}.on(1).isEmpty)
    }

    @Test("Nesting of blocks is associative")
    func associativity() {
        let left = Lines.combine {
            Lines.combine {
                child("a")
                child("b")
            }
            child("c")
        }
        let right = Lines.combine {
            child("a")
            Lines.combine {
                child("b")
                child("c")
            }
        }
        #expect(lines(of: left) == lines(of: right))
    }

    @Test("A loop and an array equal combineAll, for any number of children", arguments: 0...5)
    func loopsAndArrays(count: Int) {
        let names = (0..<count).map { "\($0):" }
        let expected = lines(of: .combineAll(names.map(child)))
        let loop = Lines.combine { for name in names { child(name) } }
        let array = Lines.combine { names.map(child) }
        #expect(lines(of: loop) == expected)
        #expect(lines(of: array) == expected)
    }

    @Test("A condition selects children", arguments: [false, true])
    func conditions(isOn: Bool) {
        let block = Lines.combine {
            child("a")
            if isOn { child("b") }
            if isOn {
                child("c")
                child("d")
            } else {
                child("e")
            }
        }
        let names = isOn ? ["a", "b", "c", "d"] : ["a", "e"]
        #expect(lines(of: block) == lines(of: .combineAll(names.map(child))))
    }

    @Test("A switch selects children", arguments: 0...2)
    func switches(number: Int) {
        let block = Lines.combine {
            switch number {
            case 0: child("zero")
            case 1: child("one")
            default: [child("many"), child("more")]
            }
        }
        let names = [["zero"], ["one"], ["many", "more"]][number]
        #expect(lines(of: block) == lines(of: .combineAll(names.map(child))))
    }

    @Test("Children of a block are widened without type annotations")
    func widened() {
        let dispatcher: StateDispatcher<(prefix: String, other: Int), Whole, WholeInput> = .combine {
            part.widen(
                transformEnvironment: { $0.prefix },
                transformState: \.left,
                transformInput: WholeInput.prism(for: WholeInput.left)
            )
            part.widen(
                transformEnvironment: \.prefix,
                transformState: Lens(\.right),
                transformInput: WholeInput.prism(for: WholeInput.right)
            )
            part.widen(
                transformEnvironment: { $0.prefix },
                transformState: Lens(\.missing).appending(Prism.some),
                transformInput: WholeInput.prism(for: WholeInput.missing)
            )
        }
        let component = Component(initialState: Whole(), environment: (prefix: "-", other: 1), dispatcher: dispatcher)
        for input in [WholeInput.left("a"), .right("b"), .missing("c"), .other] { component.send(input) }
        #expect(component.state == Whole(left: Part(names: ["-a"]), right: Part(names: ["-b"])))
    }
}
