import PropertyTesting
import VirtualTime

/// A command for a cache of a table of versions.
enum CacheCommand: Sendable {
    case get(Int)
    case write(Int)

    static let gen = Gen.oneOf(Gen.int(in: 0...1).map(CacheCommand.get), Gen.int(in: 0...1).map(CacheCommand.write))
}

protocol Cache: Sendable {
    func get(_ key: Int) async throws -> Int
    func write(_ key: Int) async throws
}

extension StatefulProperty where Command == CacheCommand, Model == [Int: Int], System == any Cache, Response == Int {
    /// Creates a property in which `get` returns how often the key was written, and `write` returns -1.
    static func cache(_ make: @escaping @Sendable (VirtualClock) -> any Cache) -> StatefulProperty {
        StatefulProperty(
            model: [Int: Int](), system: { clock in make(clock) },
            expected: { command, versions in
                switch command {
                case .get(let key): return versions[key, default: 0]
                case .write(let key):
                    versions[key, default: 0] += 1
                    return -1
                }
            },
            actual: { command, cache in
                switch command {
                case .get(let key): return try await cache.get(key)
                case .write(let key):
                    try await cache.write(key)
                    return -1
                }
            })
    }
}

/// The table that a cache reads and writes.
actor Table {
    private var versions: [Int: Int] = [:]
    private let delay: @Sendable () async throws -> Void

    /// Creates a table whose reads take a millisecond.
    init(clock: VirtualClock) {
        delay = { try await clock.sleep(for: .milliseconds(1)) }
    }

    /// Creates a table whose reads take three turns of the executor.
    init() {
        delay = { for _ in 0..<3 { await Task.yield() } }
    }

    func read(_ key: Int) async throws -> Int {
        let version = versions[key, default: 0]
        try await delay()
        return version
    }

    func write(_ key: Int) {
        versions[key, default: 0] += 1
    }
}

/// Caches each read, even if the key was written during the read.
actor StaleCache: Cache {
    private var known: [Int: Int] = [:]
    private let table: Table

    init(_ table: Table) { self.table = table }

    func get(_ key: Int) async throws -> Int {
        if let version = known[key] { return version }
        let version = try await table.read(key)
        known[key] = version
        return version
    }

    func write(_ key: Int) async throws {
        await table.write(key)
        known[key] = nil
    }
}

/// Caches a read unless a write began during the read or is still running.
actor FreshCache: Cache {
    private var known: [Int: Int] = [:]
    private var (begun, running) = (0, 0)
    private let table: Table

    init(_ table: Table) { self.table = table }

    func get(_ key: Int) async throws -> Int {
        if let version = known[key] { return version }
        let before = begun
        let version = try await table.read(key)
        if begun == before, running == 0 { known[key] = version }
        return version
    }

    func write(_ key: Int) async throws {
        (begun, running) = (begun + 1, running + 1)
        known[key] = nil
        await table.write(key)
        running -= 1
    }
}
