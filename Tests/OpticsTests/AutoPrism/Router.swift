import Optics

/// The router of `CaseRouting`'s documentation. It is inlinable, as in another module.
public struct Router<Whole, Answer> {
    @usableFromInline struct Route {
        @usableFromInline var routing: CaseRouting<Whole>?
        @usableFromInline var answer: (Whole) -> Answer?

        @usableFromInline
        init(routing: CaseRouting<Whole>?, answer: @escaping (Whole) -> Answer?) {
            self.routing = routing
            self.answer = answer
        }
    }

    @usableFromInline var routes: [Route] = []
    @usableFromInline var tag: CaseRouting<Whole>?
    @usableFromInline var table: [[Int]?] = []
    /// The numbers of routes that were asked whether they accept a tag, and that were tried.
    public var asked = 0
    public var tried = 0

    public init() {}

    @inlinable
    public mutating func add<Part>(_ prism: Prism<Whole, Part>, _ answer: @escaping (Part) -> Answer) {
        routes.append(Route(routing: prism.routing) { prism.extract($0).map(answer) })
        tag = tag ?? prism.routing
        table = []
    }

    @inlinable
    public mutating func callAsFunction(_ whole: Whole) -> [Answer] {
        guard let tag else { return routes.compactMap { $0.answer(whole) } }
        if table.isEmpty { table = Array(repeating: nil, count: tag.tagCount) }
        let found = tag.tag(of: whole)
        let matching = table[found] ?? learn(whole, found)
        tried += matching.count
        return matching.compactMap { routes[$0].answer(whole) }
    }

    @inlinable
    mutating func learn(_ whole: Whole, _ tag: Int) -> [Int] {
        asked += routes.count
        let matching = routes.indices.filter { routes[$0].routing?.accepts(whole, tag: tag) ?? true }
        table[tag] = matching
        return matching
    }
}
