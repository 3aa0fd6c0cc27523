/// The in-place update of an optic, which calls the closure with each part of the whole.
@usableFromInline
typealias InPlaceUpdate<Whole, Part> = @Sendable (inout Whole, (inout Part) -> Void) -> Void
