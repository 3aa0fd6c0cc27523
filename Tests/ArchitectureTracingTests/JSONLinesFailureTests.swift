#if os(Linux)
    import ArchitectureTracing
    import Foundation
    import FunctionalCore
    import TestSupport
    import Testing

    @Suite("Files of JSON lines that end early", .timeLimit(.minutes(10)))
    struct JSONLinesFailureTests {
        @Test("An error of writing is reported once, no later event is described, and the process goes on", .promptly)
        func failing() async throws {
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                for writing in JSONLinesFileTests.writings {
                    let count = Guarded(0)
                    // Each write to this device fails, as on a full disk.
                    let sink = try JSONLinesFile(at: URL(filePath: "/dev/full"), writing: writing)
                    let tracer = Tracer(Trace(to: sink), owner: Screen.self)
                    for _ in 0..<5 {
                        tracer.record(
                            .dropped(TraceValue(Described { _ in count.withLock { $0 += 1 } }), because: .cancelled))
                    }
                    sink.flush()
                    sink.close()
                    #expect(count.value == 1)
                }
                #expect(FileManager.default.fileExists(atPath: "/dev/full"))
            }
            let reports = result.standardErrorText.split(separator: "\n").filter { $0.contains("/dev/full") }
            #expect(reports.count == JSONLinesFileTests.writings.count)
            for report in reports {
                #expect(report.hasPrefix("The trace cannot be written to /dev/full: "))
                #expect(report.contains("To fix, write to a place that has enough space."))
            }
        }

        @Test("A pipe is opened once, so its reader gets each line", .promptly, arguments: JSONLinesFileTests.writings)
        func pipes(writing: JSONLinesFile.Writing) throws {
            let folder = try TemporaryFolder()
            let pipe = folder.url.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
            let watcher = inotify_init1(Int32(IN_NONBLOCK))
            defer { for descriptor in [reader, watcher] { close(descriptor) } }
            #expect(inotify_add_watch(watcher, pipe.path, UInt32(IN_CLOSE_WRITE)) > 0)
            let sink = try JSONLinesFile(at: pipe, writing: writing)
            var bytes = [UInt8](repeating: 0, count: 65_536)
            #expect(read(watcher, &bytes, bytes.count) == -1)
            let tracer = Tracer(Trace(to: sink), owner: Screen.self)
            for _ in 0..<3 {
                tracer.record(.closed)
                sink.flush()
            }
            let count = read(reader, &bytes, bytes.count)
            #expect(try JSONLines(decoding: Data(bytes.prefix(max(0, count)))).records.map(\.id) == [1, 2, 3])
        }

        @Test("A file that a full disk has cut off is read up to the half line", .promptly)
        func fullDisk() async throws {
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "trace.jsonl")
            try await #require(processExitsWith: .success) { [path = file.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let sink = try JSONLinesFile(at: URL(filePath: path))
                let tracer = Tracer(Trace(to: sink), owner: Screen.self)
                for _ in 0..<20 { tracer.record(.closed) }
                tracer.record(.dropped(TraceValue(String(repeating: "a", count: 10_000)), because: .cancelled))
                sink.close()
            }
            let data = try Data(contentsOf: file)
            let lines = try JSONLines(decoding: data)
            #expect(data.count == 10_000)
            #expect(lines.records.map(\.id) == Array(1...20))
            #expect(lines.data.count < data.count)
            #expect(lines.skippedLines.map(\.description) == ["Line 21 is cut off."])
        }

        @Test("A process that exits writes the events that wait, also to a file that is still open", .promptly)
        func exiting() async throws {
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "trace.jsonl")
            try await #require(processExitsWith: .success) { [path = file.path as String] in
                let sink = try JSONLinesFile(at: URL(filePath: path), writing: .inBackground(capacity: 20_000))
                let tracer = Tracer(Trace(to: sink), owner: Screen.self)
                for _ in 0..<20_000 { tracer.record(.closed) }
                withExtendedLifetime(tracer) { exit(0) }
            }
            #expect(try JSONLines(decoding: Data(contentsOf: file)).records.count == 20_000)
        }

        @Test("A process that is killed leaves whole lines, and all of them if they are written immediately", .promptly)
        func killing() async throws {
            let folder = try TemporaryFolder()
            func records(_ name: String) throws -> [TraceRecord] {
                try JSONLines(decoding: Data(contentsOf: folder.url.appending(path: name))).records
            }
            try await #require(processExitsWith: .signal(SIGKILL)) { [path = folder.url.path as String] in
                let sinks = try [
                    JSONLinesFile(at: URL(filePath: path + "/immediately"), writing: .immediately),
                    JSONLinesFile(at: URL(filePath: path + "/background")),
                ]
                onThreads(4) { index in
                    let tracer = Tracer(Trace(to: sinks[index % 2]), owner: Screen.self)
                    for _ in 0..<1_000 { tracer.record(.closed) }
                }
                kill(getpid(), SIGKILL)
            }
            #expect(try records("immediately").count == 2_000)
            let background = try records("background")
            #expect((1_000...2_000).contains(background.count))
            #expect(Set(background.map(\.kind)) == [.closed])
        }
    }
#endif
