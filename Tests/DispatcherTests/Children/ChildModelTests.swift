import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

/// Random histories of children in children: an optional page with an id, its cards, and an optional note of each card.
///
/// Each child has a life of its own, a number that its state contains. A job contains the life of the child it is sent to.
@Suite("Lifetimes of children: random histories", .timeLimit(.minutes(10)))
struct ChildModelTests {
    struct Job: Equatable, Sendable {
        let number: Int
        let life: Int
        let seconds: Int
    }

    protocol Living: Sendable {
        var life: Int { get }
        var answers: [Job] { get set }
    }

    struct Note: Living {
        let life: Int
        var answers: [Job] = []
    }

    struct Card: Identifiable, Living {
        let id: Int
        let life: Int
        var answers: [Job] = []
        var note: Note?
    }

    struct Page: Identifiable, Living {
        let id: Int
        let life: Int
        var answers: [Job] = []
        var cards: [Card] = []
    }

    struct Screen: Sendable {
        var page: Page?
        var answers: [Job] = []

        /// All children by their lives.
        var children: [any Living] {
            guard let page else { return [] }
            return [page] + page.cards.flatMap { card in [card] + (card.note.map { [$0 as any Living] } ?? []) }
        }
    }

    enum CardInput: AutoPrism, Sendable {
        case job(Job)
        case note(Job)
    }

    enum PageInput: AutoPrism, Sendable {
        case job(Job)
        case card(Int, CardInput)
    }

    enum Input: AutoPrism, Sendable {
        case change(@Sendable (inout Screen) -> Void)
        case page(PageInput)
        /// Work of the screen, and then of the page.
        case both(Job, Job)
    }

    enum Kind: String, CaseIterable, Sendable {
        case concurrent, limit, queued, latest, first, debounce, throttle

        func policy(_ clock: VirtualClock) -> Policy {
            switch self {
            case .concurrent: .concurrent
            case .limit: .concurrent(limit: 2)
            case .queued: .queued
            case .latest: .latest
            case .first: .first
            case .debounce: .debounce(for: .seconds(2), clock: clock)
            case .throttle: .throttle(for: .seconds(2), clock: clock)
            }
        }

        /// Whether no work is dropped or cancelled because of other work.
        var keepsAll: Bool { self == .concurrent || self == .limit || self == .queued }
    }

    /// What applies to which dispatchers.
    enum Place: String, CaseIterable, Sendable {
        /// The policy applies to each child.
        case below
        /// The policy applies to all children of a level.
        case above
    }

    /// One history.
    private final class History {
        let scheduler: VirtualScheduler
        let component: Component<Screen, Input>
        let log = Log()
        let kind: Kind
        let place: Place
        var random: SeededGenerator
        var jobs: [(job: Job, task: SendTask, wasPresent: Bool)] = []
        var lastLife = 0

        init(_ kind: Kind, _ place: Place, seed: UInt64) {
            (self.kind, self.place) = (kind, place)
            random = SeededGenerator(seed: seed)
            scheduler = VirtualScheduler(seed: seed % 3 == 0 ? nil : seed)
            let (clock, log, slot) = (scheduler.clock, log, Guarded<Component<Screen, Input>?>(nil))
            let policy = kind.policy(clock)
            @Sendable func run(_ job: Job) async {
                let isPresent = slot.value?.state.children.contains { $0.life == job.life } ?? false
                if job.life != 0, !isPresent { log.append("\(job) began without its child") }
                try? await clock.sleep(for: .seconds(job.seconds))
            }
            func work<S: Living>(_: S.Type) -> StateDispatcher<Void, S, Job> {
                .effectful { job in
                    EnvIO { _ async in
                        await run(job)
                        return .update { child in
                            if child.life != job.life { log.append("\(job) reached \(child.life)") }
                            child.answers.append(job)
                        }
                    }
                }
            }
            func below<S, I>(_ dispatcher: StateDispatcher<Void, S, I>) -> StateDispatcher<Void, S, I> {
                place == .below ? dispatcher.policy(policy) : dispatcher
            }
            func above<S, I>(_ dispatcher: StateDispatcher<Void, S, I>) -> StateDispatcher<Void, S, I> {
                place == .above ? dispatcher.policy(policy) : dispatcher
            }
            let card = StateDispatcher<Void, Card, CardInput>.combineAll([
                below(work(Card.self)).widen(transformInput: CardInput.prism(for: CardInput.job)),
                above(
                    below(work(Note.self)).widen(
                        transformState: Lens(\Card.note).some(), transformInput: CardInput.prism(for: CardInput.note))),
            ])
            let page = StateDispatcher<Void, Page, PageInput>.combineAll([
                below(work(Page.self)).widen(transformInput: PageInput.prism(for: PageInput.job)),
                place == .above && kind.keepsAll
                    ? card.forEach(state: \Page.cards, input: PageInput.prism(for: PageInput.card)).policy(policy)
                    : card.forEach(state: \Page.cards, input: PageInput.prism(for: PageInput.card)),
            ])
            let screens = StateDispatcher<Void, Screen, Input>.combineAll([
                .pure { input in .update { if case .change(let change) = input { change(&$0) } } },
                page.widen(transformState: Lens(\Screen.page).some(), transformInput: Input.prism(for: Input.page)),
                .workflow { input in
                    guard case .both(let job, _) = input else { return [] }
                    return [
                        EnvIO { _ async in
                            await run(job)
                            return .update { $0.answers.append(job) }
                        }
                    ]
                },
                work(Page.self).widen(
                    transformState: Lens(\Screen.page).some(),
                    transformInput: Prism(
                        embed: { .both($0, $0) }, extract: { if case .both(_, let job) = $0 { job } else { nil } })),
                .workflow { input in
                    guard case .both(let job, _) = input else { return [] }
                    return [.pure(.update { $0.answers.append(job) })]
                },
            ])
            component = Component(
                initialState: Screen(), environment: (), executor: scheduler.executor, dispatcher: screens)
            slot.value = component
            release = { slot.value = nil }
        }

        let release: () -> Void

        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        func newLife() -> Int {
            lastLife += 1
            return lastLife
        }

        func change(_ body: @escaping @Sendable (inout Screen) -> Void) { component.send(.change(body)) }

        func job(_ life: Int?) -> Job {
            Job(number: jobs.count, life: life ?? -1, seconds: pick(4))
        }

        /// Sends a job to the child of a place, mostly one that is present.
        func sendJob() {
            let page = component.state.page
            let card = page?.cards.randomElement(using: &random)
            switch pick(5) {
            case 0: send(job(page?.life)) { .page(.job($0)) }
            case 1, 2: send(job(card?.life)) { .page(.card(card?.id ?? 99, .job($0))) }
            case 3: send(job(card?.note?.life)) { .page(.card(card?.id ?? 99, .note($0))) }
            default:
                let own = Job(number: -1, life: 0, seconds: pick(3))
                send(job(page?.life)) { .both(own, $0) }
                screenJobs += 1
            }
        }

        var screenJobs = 0
        let finished = Record<Int>()

        func send(_ job: Job, _ input: (Job) -> Input) {
            jobs.append((job, component.send(input(job)), job.life > 0))
        }

        /// Changes the children of the screen.
        func changeChildren() {
            let (life, id, number) = (newLife(), pick(3), pick(100))
            switch pick(8) {
            case 0: change { $0.page = nil }
            case 1, 2:
                change { screen in
                    // The same id means the same child.
                    if screen.page?.id == id { return }
                    let cards = [Card(id: 0, life: life + 1), Card(id: 1, life: life + 2)]
                    screen.page = Page(id: id, life: life, cards: cards)
                }
                lastLife += 2
            case 3:
                change { screen in
                    guard let count = screen.page?.cards.count, count > 0 else { return }
                    screen.page?.cards.remove(at: number % count)
                }
            case 4:
                change { screen in
                    guard let cards = screen.page?.cards, !cards.contains(where: { $0.id == id }) else { return }
                    screen.page?.cards.insert(Card(id: id, life: life), at: number % (cards.count + 1))
                }
            case 5: change { $0.page?.cards.reverse() }
            case 6:
                change { screen in
                    guard let count = screen.page?.cards.count, count > 0 else { return }
                    screen.page?.cards[number % count].note = nil
                }
            default:
                change { screen in
                    guard let count = screen.page?.cards.count, count > 0 else { return }
                    if screen.page?.cards[number % count].note != nil { return }
                    screen.page?.cards[number % count].note = Note(life: life)
                }
            }
        }

        func run() {
            changeChildren()
            for _ in 0..<40 {
                switch pick(4) {
                case 0: changeChildren()
                case 1, 2: sendJob()
                default: scheduler.advance(by: .milliseconds(500 * pick(4)))
                }
            }
            scheduler.advance(by: .seconds(1_000))
            for (job, task, _) in jobs {
                Task(executorPreference: scheduler.executor) { [finished] in
                    await task.waitUntilFinished()
                    finished.append(job.number)
                }
            }
            scheduler.drain()
            release()
        }

        /// Returns a description of each broken promise.
        func faults() -> [String] {
            var faults = log.lines
            let state = component.state
            let answered = state.children.flatMap(\.answers)
            for (job, task, wasPresent) in jobs {
                if !finished.values.contains(job.number) { faults.append("\(job) never ended") }
                let isPresent = state.children.contains { $0.life == job.life }
                let hasAnswered = answered.contains(job)
                if isPresent, kind.keepsAll, !hasAnswered { faults.append("\(job) has no answer") }
                if isPresent, task.isCancelled == hasAnswered { faults.append("\(job): handle and answer differ") }
                if !wasPresent, hasAnswered { faults.append("\(job) answered without a child") }
            }
            if state.answers.count != 2 * screenJobs { faults.append("A job of the screen was skipped") }
            return faults
        }
    }

    @Test(
        "A job reaches its own child or none, begins while it is there, and jobs of others go on",
        arguments: Kind.allCases, Place.allCases)
    func histories(kind: Kind, place: Place) {
        for seed in 0..<150 as Range<UInt64> {
            let history = History(kind, place, seed: seed)
            history.run()
            #expect(history.faults() == [], "seed \(seed)")
        }
    }
}
