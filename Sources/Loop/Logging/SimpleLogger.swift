/// A logger that writes one line for each event, each new model and each effect. Based on Mobius' type of this name.
///
/// ```text
/// my loop: Event received: increment
/// my loop: Model updated: 3
/// my loop: Effect dispatched: save(3)
/// ```
public struct SimpleLogger<Model, Event, Effect>: MobiusLogger {
    private let tag: String
    private let write: @Sendable (String) -> Void

    /// Creates a logger whose lines begin with `tag`.
    ///
    /// - Parameters:
    ///   - tag: The text that each line begins with, which distinguishes loops.
    ///   - consumer: A function that is called with each line, without a line break, on the thread that processes the
    ///     event. The default prints it to standard output.
    public init(tag: String = "Mobius", consumer: @escaping Consumer<String> = { print($0) }) {
        self.tag = tag
        write = consumer
    }

    /// Writes that the loop is being initialized.
    public func willInitiate(model: Model) {
        write("\(tag): Initializing loop")
    }

    /// Writes the model that the loop starts from, and each effect.
    public func didInitiate(model: Model, first: First<Model, Effect>) {
        write("\(tag): Loop initialized, starting from model: \(first.model)")
        for effect in first.effects { write("\(tag): Effect dispatched: \(effect)") }
    }

    /// Writes the event.
    public func willUpdate(model: Model, event: Event) {
        write("\(tag): Event received: \(event)")
    }

    /// Writes the model, if it is new, and each effect.
    public func didUpdate(event: Event, next: Next<Model, Effect>) {
        if let model = next.model { write("\(tag): Model updated: \(model)") }
        for effect in next.effects { write("\(tag): Effect dispatched: \(effect)") }
    }

    /// Writes the event.
    public func didDrop(event: Event) {
        write("\(tag): Event dropped: \(event)")
    }

    /// `false`.
    public var usesPreviousModel: Bool { false }
}
