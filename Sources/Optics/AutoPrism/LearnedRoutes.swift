import Synchronization

/// A table of handlers, one for each case of an enum. A handler is created at the first lookup of its case.
///
/// A route is a value that may have a `CaseRouting`. The handler of a case is made of the routes whose routing accepts
/// the case, and of the routes without a routing, in order.
///
/// ```swift
/// let table = LearnedRoutes(parts, by: \.routing) { parts in Handler(parts) }
/// table.withHandler(of: input) { handler in handler.handle(input) }
/// ```
///
/// If no route has a routing, one handler of all routes serves every value. The table is thread-safe, and takes no
/// lock.
///
/// Unchecked: `slots` is allocated for the lifetime of the table, and each slot is atomic. A slot changes at most
/// once, from `nil` to an owned reference to a handler. `deinit` releases the reference, so a handler lives as long as
/// its table.
@safe
@usableFromInline
package final class LearnedRoutes<Whole, Handler: AnyObject & Sendable>: @unchecked Sendable {
    @usableFromInline let routing: CaseRouting<Whole>?
    @usableFromInline let makeHandler: @Sendable (Whole, Int) -> Handler
    @usableFromInline let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

    /// Creates a table without handlers.
    ///
    /// - Parameters:
    ///   - routes: The routes, in the order in which a handler receives them.
    ///   - routing: Returns the routing of a route, or `nil` if only the value itself decides whether the route
    ///     matches.
    ///   - makeHandler: Returns the handler of a case, made of its routes. If several threads look up a case for the
    ///     first time, each may call the function. All of them use the same handler.
    @inlinable
    package init<Route: Sendable>(
        _ routes: [Route],
        by routing: @escaping @Sendable (Route) -> CaseRouting<Whole>?,
        makeHandler: @escaping @Sendable ([Route]) -> Handler
    ) {
        self.routing = routes.lazy.compactMap(routing).first
        self.makeHandler = { whole, tag in
            makeHandler(routes.filter { routing($0)?.accepts(whole, tag: tag) ?? true })
        }
        let count = self.routing?.tagCount ?? 1
        unsafe slots = .allocate(capacity: count)
        for tag in 0..<count { unsafe (slots + tag).initialize(to: Atomic(nil)) }
    }

    deinit {
        let count = routing?.tagCount ?? 1
        for tag in 0..<count {
            // Unchecked: no lookup is under way, because each one retains the table.
            guard let handler = unsafe slots[tag].load(ordering: .acquiring) else { continue }
            unsafe Unmanaged<Handler>.fromOpaque(handler).release()
        }
        unsafe slots.deinitialize(count: count)
        unsafe slots.deallocate()
    }

    /// Calls `body` with the handler of the case of `whole`.
    ///
    /// - Complexity: O(1), except for the first value of a case.
    @inlinable
    @inline(__always)
    package func withHandler(of whole: Whole, _ body: (Handler) -> Void) {
        let tag = routing?.tag(of: whole) ?? 0
        let handler = unsafe slots[tag].load(ordering: .acquiring) ?? learn(whole, tag)
        // Unchecked: the caller retains the table, and the table its handlers. Retaining a handler for each value would
        // cost as much as the call.
        unsafe Unmanaged<Handler>.fromOpaque(handler)._withUnsafeGuaranteedRef { body($0) }
    }

    /// Creates and stores the handler of the case `tag`, and returns the handler. If another thread has stored a
    /// handler first, returns that handler.
    @inlinable
    @inline(never)
    func learn(_ whole: Whole, _ tag: Int) -> UnsafeMutableRawPointer {
        let made = unsafe Unmanaged.passRetained(makeHandler(whole, tag))
        let (isStored, known) = unsafe slots[tag].compareExchange(
            expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing)
        guard !isStored, let known = unsafe known else { return unsafe made.toOpaque() }
        unsafe made.release()
        return unsafe known
    }
}
