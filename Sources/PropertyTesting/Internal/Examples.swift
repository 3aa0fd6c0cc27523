/// Inputs that are tried before the generated ones, and are not shrunk.
protocol ExampleSequence<Input> {
    associatedtype Input
    /// The origin of the current input, as part of a failure's text.
    var name: String { get }
    /// Returns the next input, or `nil` if there is none. Called when the input before it has been tried.
    mutating func next() -> Input?
}

/// The examples that are passed to `forAll` or `falsify`.
struct Examples<Input>: ExampleSequence {
    private let inputs: [Input]
    private var count = 0

    init(_ inputs: [Input]) {
        self.inputs = inputs
    }

    var name: String { "example \(count)" }

    mutating func next() -> Input? {
        guard count < inputs.count else { return nil }
        count += 1
        return inputs[count - 1]
    }
}
