/// How many actions have followed without a task in between.
///
/// Unchecked: touched while the store handles something.
final class Tally: @unchecked Sendable {
    var count = 0
}
