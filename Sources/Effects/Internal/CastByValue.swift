/// A type of which a value decides, and not the type, whether it is of another one: `Optional(1)` is an `Int`, and
/// `Optional<Int>.none` is not.
///
/// Where such a type is made an action, each of its values is looked at anew for who listens.
protocol CastByValue {}

extension Optional: CastByValue {}
extension Array: CastByValue {}
extension Dictionary: CastByValue {}
extension Set: CastByValue {}
extension AnyHashable: CastByValue {}
