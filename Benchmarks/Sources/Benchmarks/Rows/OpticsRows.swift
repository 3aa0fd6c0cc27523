import Optics

private let core = "Core and optics"

var opticsRows: [Row] {
    [
        Row(core, "Lens set, depth 5", peer: "Bow 109", isCounted: true) {
            let direct = Subject("direct", expecting: 999) {
                var whole = Level5(0)
                for index in 0..<1_000 {
                    setByHand(&whole, opaque(index))
                    change(&whole)
                }
                return whole.next.next.next.next.part
            }
            let big = array(of: 1_000_000)
            let small = array(of: 10)
            return [
                .time("key path", setting("key path", Lens(\Level5.next.next.next.next.part)), direct),
                .time("five key paths, appended", setting("appended", appended), direct),
                .time("five closures, appended", setting("closures", closures), direct),
                .time("one of 1,000,000 elements of the part, against one of 10", big, small),
            ]
        },
        Row(core, "closure prism") {
            let prism = opaque(Prism(Message.number) { if case .number(let number) = $0 { number } else { nil } })
            let alloc = Baseline.alloc()
            return [
                .time("hit", extracting("hit", prism, .number(1), 1), alloc),
                .time("miss", extracting("miss", prism, .name(name), nil), alloc),
            ]
        },
        Row(core, "AutoPrism, after a hit", peer: "CasePaths 233 / 96", isCounted: true) {
            let number = opaque(Message.prism(for: Message.number))
            let text = opaque(Message.prism(for: Message.name))
            return [
                .time("hit, Int", extracting("Int", number, .number(1), 1), numberByHand(.number(1), 1)),
                .time("hit, String", extracting("String", text, .name(name), name), textByHand()),
                .time("miss", extracting("miss", number, .name(name), nil), numberByHand(.name(name), nil)),
            ]
        },
        Row(core, "AutoPrism of 128 cases, before the first hit", peer: "CasePaths 599") {
            let prism = opaque(Many.prism(for: Many.c1))
            return [.time("miss", extracting("miss", prism, .c0(1), nil), caseByHand())]
        },
        Row(core, "AutoPrism of 128 cases, making one", peer: "CasePaths 176") {
            let constructor = opaque(Many.constructors[50])
            let work = Subject("prism(for:)", expecting: 7 as Int?) {
                for _ in 0..<999 { use(Many.prism(for: constructor)) }
                return Many.prism(for: constructor).extract(constructor(7))
            }
            return [
                .time("", work, Baseline.alloc()).pending(goal: 20, "about a microsecond")
            ]
        },
    ]
}

private struct Level1: Sendable { var part = 0, other = 0, elements: [Int] = [] }
private struct Level2: Sendable { var next: Level1, other = 0 }
private struct Level3: Sendable { var next: Level2, other = 0 }
private struct Level4: Sendable { var next: Level3, other = 0 }
private struct Level5: Sendable {
    var next: Level4
    var other = 0

    init(_ count: Int) {
        let part = Level1(elements: [Int](repeating: 0, count: count))
        next = Level4(next: Level3(next: Level2(next: part)))
    }
}

/// A call, as that of a stored lens is one.
@inline(never)
private func setByHand(_ whole: inout Level5, _ part: Int) {
    whole.next.next.next.next.part = part
}

private let appended = Lens(\Level5.next).appending(Lens(\.next)).appending(Lens(\.next)).appending(Lens(\.next))
    .appending(Lens(\.part))

private let closures = Lens<Level5, Level4>(get: { $0.next }, modify: { whole, change in change(&whole.next) })
    .appending(Lens<Level4, Level3>(get: { $0.next }, modify: { whole, change in change(&whole.next) }))
    .appending(Lens<Level3, Level2>(get: { $0.next }, modify: { whole, change in change(&whole.next) }))
    .appending(Lens<Level2, Level1>(get: { $0.next }, modify: { whole, change in change(&whole.next) }))
    .appending(Lens<Level1, Int>(get: { $0.part }, modify: { whole, change in change(&whole.part) }))

private func setting(_ name: String, _ lens: Lens<Level5, Int>) -> Subject {
    let lens = opaque(lens)
    return Subject(name, expecting: 999) {
        var whole = Level5(0)
        for index in 0..<1_000 {
            lens.set(&whole, opaque(index))
            change(&whole)
        }
        return whole.next.next.next.next.part
    }
}

private func array(of count: Int) -> Subject {
    let lens = opaque(Lens(\Level5.next.next.next.next.elements))
    var whole = Level5(count)
    return Subject("\(count) elements", expecting: 100) {
        let before = whole.next.next.next.next.elements[9]
        for index in 0..<1_000 { lens.modify(&whole) { $0[opaque(index) % 10] &+= 1 } }
        change(&whole)
        return whole.next.next.next.next.elements[9] &- before
    }
}

private enum Message: AutoPrism, Sendable {
    case number(Int)
    case name(String)
    case done
}

private let name = "A name that does not fit into the string itself"

private func extracting<Whole, Part: Equatable>(
    _ label: String, _ prism: Prism<Whole, Part>, _ whole: Whole, _ part: Part?
) -> Subject {
    Subject(label, expecting: part) {
        var whole = whole
        for _ in 0..<1_000 {
            change(&whole)
            use(prism.extract(whole))
        }
        return prism.extract(whole)
    }
}

// MARK: - The same with `if case`, by a call, as that of a stored prism is one

private func numberByHand(_ message: Message, _ expected: Int?) -> Subject {
    Subject("if case", expecting: expected) {
        var message = message
        for _ in 0..<1_000 {
            change(&message)
            use(number(of: message))
        }
        return number(of: message)
    }
}

private func textByHand() -> Subject {
    Subject("if case") {
        var message = Message.name(name)
        for _ in 0..<1_000 {
            change(&message)
            use(text(of: message))
        }
    }
}

private func caseByHand() -> Subject {
    Subject("if case") {
        var value = Many.c0(1)
        for _ in 0..<1_000 {
            change(&value)
            use(number(of: value))
        }
    }
}

@inline(never)
private func number(of message: Message) -> Int? {
    if case .number(let number) = message { number } else { nil }
}

@inline(never)
private func text(of message: Message) -> String? {
    if case .name(let text) = message { text } else { nil }
}

@inline(never)
private func number(of value: Many) -> Int? {
    if case .c1(let number) = value { number } else { nil }
}
