// The declarations that the pages about loops use and leave out.

import TestSupport

struct MyModel: Equatable {
    var users: [User] = []
    var isPlaying = true
}

struct User: Equatable {
    let id: String
}

final class Player: Sendable {
    let stops = Record<Void>()

    func stopPlayback() {
        stops.append(())
    }
}

let closings = Record<Void>()

func closeApplication() {
    closings.append(())
}

final class DataSource: Sendable {
    let requests = Record<DownloadRequest>()

    func downloadUsers(ids: [String]) -> DownloadRequest {
        let request = DownloadRequest(ids: ids)
        requests.append(request)
        return request
    }
}

final class DownloadRequest: Sendable {
    private let ids: [String]
    private let receivers = Record<@Sendable ([User]) -> Void>()
    let cancellations = Record<Void>()

    init(ids: [String]) {
        self.ids = ids
    }

    func then(_ receiver: @escaping @Sendable ([User]) -> Void) -> DownloadRequest {
        receivers.append(receiver)
        return self
    }

    func answer() {
        for receiver in receivers.values { receiver(ids.map { User(id: $0) }) }
    }

    func cancel() {
        cancellations.append(())
    }
}
