/// The deallocation of nested programs without deep recursion.
///
/// The deinitializer of a node releases the program inside it, whose deinitializer releases the next program. A million
/// such calls overflow any stack. So each thread counts how deeply its deinitializers are nested. Beyond a limit, a
/// node adds its contents to a list, and the outermost deinitializer releases the list.
enum Teardown {
    // A node may hold a few dozen nested closures, which are released recursively.
    private static let limit = 16

    /// Begins the deinitialization of `node`. If the deinitializers of the thread are nested more deeply than `limit`,
    /// `State.postponed` keeps the contents of the node alive.
    @inline(__always)
    static func enter(keeping node: Node) {
        let storage = TeardownStorage.current
        storage.state.depth += 1
        if storage.state.depth > limit {
            storage.state.postponed.append(State.Contents(source: node.source, step: node.step, wait: node.wait))
        }
    }

    /// Ends the deinitialization of a node, whose contents have been released.
    @inline(__always)
    fileprivate static func leave() {
        let storage = TeardownStorage.current
        storage.state.depth -= 1
        if storage.state.depth == 0, !storage.state.postponed.isEmpty { release(storage) }
    }

    @inline(never)
    private static func release(_ storage: TeardownStorage) {
        storage.state.depth = 1
        // Each turn releases the contents of one node. Nodes beyond the limit are appended meanwhile.
        while let contents = storage.state.postponed.popLast() { withExtendedLifetime(contents) {} }
        storage.state.postponed = []
        storage.state.depth = 0
    }

    /// The state of one thread.
    struct State {
        struct Contents {
            let source: Node?
            let step: Node.Step
            let wait: Machine.Wait?
        }

        var depth = 0
        var postponed: [Contents] = []
    }

    /// A token that calls `leave` when it is destroyed. An object destroys its last stored property after the others.
    struct LeaveToken: ~Copyable {
        deinit { Teardown.leave() }
    }
}
