import FunctionalCore
import TestSupport
import Testing

/// A frame with a number. The counter counts the frames that are alive.
private final class Frame {
    let number: Int
    private let life: Tracked

    init(_ number: Int, _ counter: Tracked.Counter = Tracked.Counter()) {
        self.number = number
        life = Tracked(counter)
    }
}

private typealias Stack<Header> = FrameStack<Header?, Frame>

extension FrameStack where Frame == FunctionalCoreTests.Frame {
    fileprivate init<Wrapped>(
        header: Wrapped, extraSize: Int = 0, extraAlignment: Int = 1
    ) where Header == Wrapped? {
        self.init(extraSize: extraSize, extraAlignment: extraAlignment) { _ in header }
    }

    fileprivate func destroy<Wrapped>() where Header == Wrapped? {
        headerAddress.pointee = nil
        deallocate()
    }

    /// Pops and releases the topmost frame, and returns its number.
    fileprivate func popNumber() -> Int? {
        guard let frame = pop() else { return nil }
        defer { frame.releaseIfOwned() }
        return frame.object.with { $0.number }
    }
}

@Suite("The stack of frames", .timeLimit(.minutes(10)))
struct FrameStackTests {
    @Test("A new stack is empty and contains its header")
    func creating() {
        let stack = Stack(header: "header")
        defer { stack.destroy() }
        #expect(stack.isEmpty)
        #expect(stack.top?.with { $0.number } == nil)
        #expect(stack.popNumber() == nil)
        #expect(stack.headerAddress.pointee == "header")
        stack.headerAddress.pointee? += "!"
        #expect(stack.headerAddress.pointee == "header!")
    }

    @Test(
        "Frames are popped in reverse order, and each is released once, however often the stack grows",
        arguments: [1, 2, 24, 25, 48, 49, 1_000])
    func popping(count: Int) {
        let counter = Tracked.Counter()
        let stack = Stack(header: Tracked(counter))
        for round in 1...2 {
            for number in 0..<count { stack.push(Frame(number, counter)) }
            #expect(counter.count == count + 1, "in round \(round)")
            #expect(stack.top?.with { $0.number } == count - 1)
            for number in (0..<count).reversed() {
                #expect(stack.popNumber() == number)
                #expect(counter.count == number + 1)
            }
            #expect(stack.isEmpty)
        }
        stack.destroy()
        #expect(counter.count == 0)
    }

    @Test("A popped frame is alive until it is released")
    func popped() {
        let counter = Tracked.Counter()
        let stack = Stack(header: ())
        defer { stack.destroy() }
        stack.push(Frame(1, counter))
        let frame = stack.pop()
        #expect(stack.isEmpty)
        #expect(counter.count == 1)
        frame?.releaseIfOwned()
        #expect(counter.count == 0)
    }

    @Test("Deallocating a stack releases the frames that it owns, and no others", arguments: [3, 30, 100])
    func deallocating(count: Int) {
        let counter = Tracked.Counter()
        let others = (0..<count).map { Frame($0, counter) }
        withExtendedLifetime(others) {
            let stack = Stack(header: Tracked(counter))
            for other in others {
                stack.push(Frame(0, counter))
                stack.push(unowned: Unretained(other))
            }
            #expect(counter.count == 2 * count + 1)
            stack.destroy()
            #expect(counter.count == count)
        }
    }

    @Test("Popping a frame that the stack does not own leaves its object alive")
    func unowned() {
        let counter = Tracked.Counter()
        let frame = Frame(7, counter)
        let stack = Stack(header: ())
        defer { stack.destroy() }
        stack.push(unowned: Unretained(frame))
        #expect(stack.popNumber() == 7)
        #expect(counter.count == 1)
        withExtendedLifetime(frame) {}
    }

    @Test("The register, the header, the frames and the extra value do not overlap", arguments: [1, 8, 16, 64, 256])
    func layout(alignment: Int) throws {
        typealias Words = (UInt64, UInt64, UInt64)
        let size = 3 * alignment
        let stack = Stack<Words>(header: (1, 2, 3), extraSize: size, extraAlignment: alignment)
        defer { stack.destroy() }
        let (extra, register) = (stack.extra(alignment: alignment).address, stack.register.address)
        #expect(UInt(bitPattern: extra) % UInt(alignment) == 0)
        #expect(UInt(bitPattern: register) % UInt(Stack<Words>.alignment) == 0)
        let registerSize = Stack<Words>.registerSize
        extra.initializeMemory(as: UInt8.self, repeating: 0xEE, count: size)
        register.initializeMemory(as: UInt8.self, repeating: 0xAA, count: registerSize)
        for number in 0..<24 { stack.push(Frame(number)) }

        let header = try #require(stack.headerAddress.pointee)
        #expect(header == (1, 2, 3))
        #expect((0..<size).allSatisfy { extra.load(fromByteOffset: $0, as: UInt8.self) == 0xEE })
        #expect((0..<registerSize).allSatisfy { register.load(fromByteOffset: $0, as: UInt8.self) == 0xAA })
        #expect((0..<24).reversed().allSatisfy { stack.popNumber() == $0 })
        #expect(stack.isEmpty)
    }
}
