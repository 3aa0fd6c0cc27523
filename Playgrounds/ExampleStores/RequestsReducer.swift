import Effects

/// Which requests are under way, the oldest first.
package let requestsReducer: ReducerFn<[Request]> = { requests, action in
    switch action {
    case let question as any Question:
        requests.removeAll { $0.isReplaced(by: question.request) }
        requests.append(question.request)
    case let answer as any Answer:
        // One of them: the same post may be deleted twice, and the second time fails.
        if let index = requests.firstIndex(of: answer.request) { requests.remove(at: index) }
    case is RequestsStopped:
        requests = []
    default: break
    }
}
