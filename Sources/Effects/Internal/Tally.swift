/// How many actions have followed without a task in between.
///
/// Unchecked: touched while the store handles something.
final class Tally: @unchecked Sendable {
    // Exclusivity is what the store's drain is for.
    @exclusivity(unchecked)
    var count = 0
}
