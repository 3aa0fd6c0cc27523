/// Something that happened, or is wanted: what is dispatched to a store, reduced, and listened to by effects.
///
/// ```swift
/// struct GetPost: Action { let id: String }
/// struct GetPostSuccess: Action { let post: Post }
/// struct GetPostError: Action {}
/// ```
///
/// Any type can be one, also an enum whose cases are the actions of a screen. After ReCombine's protocol of this name.
public protocol Action: Sendable {}
