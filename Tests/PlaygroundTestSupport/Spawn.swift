import Foundation

/// A lock that is held while pipes are created and while a child is started.
///
/// A child that started between the creation of a pipe and its marking as close-on-exec would inherit the pipe. The
/// pipe would then stay open when its owner closes it.
let spawning = NSLock()

/// A pipe that a child inherits only if it is passed to it.
struct ClosingPipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard result == 0 else {
            throw RunningProcess.StartError(description: "No pipe can be created: \(String(cString: strerror(errno))).")
        }
        (reading, writing) = (ends[0], ends[1])
    }
}

/// Starts a program with the given standard input, output and error, no blocked signals, and default dispositions.
func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String], descriptors: [Int32]
) throws -> Int32 {
    #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
    #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    for (target, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let argumentPointers = ([executable] + arguments).map { strdup($0) } + [nil]
    let environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var identifier: pid_t = 0
    // `posix_spawnp` looks up a name without a slash in the PATH.
    let result = posix_spawnp(&identifier, executable, &actions, &attributes, argumentPointers, environmentPointers)
    guard result == 0 else {
        throw RunningProcess.StartError(
            description: "\(executable) cannot be started: \(String(cString: strerror(result))).")
    }
    return identifier
}
