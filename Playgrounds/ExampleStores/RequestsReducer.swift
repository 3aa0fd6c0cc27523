import Effects

/// Records the requests in progress, the oldest first.
package func requestsReducer(_ requests: inout [Request], _ action: any Action) {
    switch action {
    case let question as any Question:
        requests.removeAll { $0.isReplaced(by: question.request) }
        requests.append(question.request)
    case let answer as any Answer:
        // Only the first match: a post may be deleted twice, and the second deletion fails.
        if let index = requests.firstIndex(of: answer.request) { requests.remove(at: index) }
    case is RequestsStopped:
        requests = []
    default: break
    }
}
