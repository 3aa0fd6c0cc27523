// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

// A stand-in for musl, a C library of Linux: what the library uses of it.
//
// See README.md in this folder. The declarations are what the compiler of Swift 6.3 shows for the headers of musl 1.2.3.

// <stdio.h>
nonisolated(unsafe) public let stderr: OpaquePointer! = nil

// <stdio.h>
@discardableResult
public func fwrite(_ pointer: UnsafeRawPointer!, _ size: Int, _ count: Int, _ file: OpaquePointer!) -> Int {
    fatalError()
}

// <stdio.h>
@discardableResult
public func fflush(_ file: OpaquePointer?) -> Int32 { fatalError() }

// <stdlib.h>
@discardableResult
public func atexit(_ function: @convention(c) () -> Void) -> Int32 { fatalError() }

// <unistd.h>
public func _exit(_ status: Int32) -> Never { fatalError() }

// <stdlib.h>
public func malloc(_ size: Int) -> UnsafeMutableRawPointer! { fatalError() }

// <stdlib.h>
public func free(_ pointer: UnsafeMutableRawPointer!) { fatalError() }

// <stdlib.h>
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }

// <math.h>
public func log(_ number: Double) -> Double { fatalError() }

// <sched.h>
@discardableResult
public func sched_yield() -> Int32 { fatalError() }

// <pthread.h>
public struct pthread_mutex_t {
    public init() {}
}

// <pthread.h>
public struct pthread_mutexattr_t {}

// <pthread.h>
@discardableResult
public func pthread_mutex_init(
    _ mutex: UnsafeMutablePointer<pthread_mutex_t>!, _ attributes: UnsafePointer<pthread_mutexattr_t>!
) -> Int32 {
    fatalError()
}

// <pthread.h>
@discardableResult
public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 { fatalError() }

// <pthread.h>
@discardableResult
public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 { fatalError() }

// <pthread.h>
@discardableResult
public func pthread_mutex_trylock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 { fatalError() }

// <pthread.h>
@discardableResult
public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 { fatalError() }

// <pthread.h>: a pointer to a structure that is not declared
public typealias pthread_t = OpaquePointer

// <pthread.h>
public func pthread_self() -> pthread_t! { fatalError() }

// <pthread.h>
public typealias pthread_key_t = UInt32

// <pthread.h>
@discardableResult
public func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>!, _ destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) -> Int32 {
    fatalError()
}

// <pthread.h>
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer! { fatalError() }

// <pthread.h>
@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer!) -> Int32 { fatalError() }
