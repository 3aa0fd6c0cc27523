/// How an optic changes what is in a whole, where it lies: it hands each part to the closure it is given.
@usableFromInline
typealias InPlaceUpdate<Whole, Part> = @Sendable (inout Whole, (inout Part) -> Void) -> Void
