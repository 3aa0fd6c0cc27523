/// A value that is dispatched to a store, such as an event or a request.
///
/// ```swift
/// struct GetPost: Action { let id: String }
/// struct GetPostSuccess: Action { let post: Post }
/// struct GetPostError: Action {}
/// ```
///
/// Reducers change the state in response to an action, and effects listen to it. Any `Sendable` type can conform, for
/// example an enum whose cases are the actions of a screen. The protocol is modelled on ReCombine's protocol of the
/// same name.
public protocol Action: Sendable {}
