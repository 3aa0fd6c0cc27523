/// Frees nested programs without recursion.
///
/// A program that holds a program that holds a program is freed by one deinitialiser calling the next, and a million of
/// those overflow any stack. So each thread counts how deep it is in such calls, and beyond a limit a node hands what
/// it holds to a list, which the outermost call empties.
enum Teardown {
    // A node may hold a few dozen nested closures, which are freed by recursion.
    private static let limit = 16

    /// To be called first in a node's `deinit`: keeps what the node holds alive if this thread is too deep to free it.
    @inline(__always)
    static func enter(keeping node: Node) {
        let state = TeardownStorage.current
        state.pointee.depth += 1
        if state.pointee.depth > limit {
            state.pointee.postponed.append(TeardownState.Held(source: node.source, step: node.step, wait: node.wait))
        }
    }

    /// To be called when all that the node held has been released.
    @inline(__always)
    static func leave() {
        let state = TeardownStorage.current
        state.pointee.depth -= 1
        if state.pointee.depth == 0, !state.pointee.postponed.isEmpty { release(state) }
    }

    @inline(never)
    private static func release(_ state: UnsafeMutablePointer<TeardownState>) {
        state.pointee.depth = 1
        // Popping frees one node's content; what that reaches beyond the limit is appended meanwhile.
        while let held = state.pointee.postponed.popLast() { withExtendedLifetime(held) {} }
        state.pointee.postponed = []
        state.pointee.depth = 0
    }
}

/// What `Teardown` keeps for each thread.
struct TeardownState {
    /// What one node held, until it is freed.
    struct Held {
        let source: Node?
        let step: Node.Step
        let wait: Machine.Wait?
    }

    var depth = 0
    var postponed: [Held] = []
}

/// Calls `Teardown.leave` when it is destroyed. The last stored property of a class is destroyed after the others.
@usableFromInline
struct LeaveToken: ~Copyable {
    @usableFromInline
    init() {}

    deinit { Teardown.leave() }
}
