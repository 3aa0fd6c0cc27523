// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

// A stand-in for Darwin, the C library of Apple's platforms: what the library uses of it.
//
// See README.md in this folder. The functions are declared in C. A documentation page shows the C declaration; how Swift imports
// the types is unverified.

// unverified: <stdio.h>
public struct FILE {}

// unverified. On Darwin, `stderr` is a macro for `__stderrp`. Code in Swift 6 mode that refers to it is reported to compile.
public var stderr: UnsafeMutablePointer<FILE> { fatalError() }

// unverified: <stdio.h>
@discardableResult
public func fwrite(_ pointer: UnsafeRawPointer!, _ size: Int, _ count: Int, _ file: UnsafeMutablePointer<FILE>!) -> Int
{
    fatalError()
}

// unverified: <stdio.h>
@discardableResult
public func fflush(_ file: UnsafeMutablePointer<FILE>!) -> Int32 { fatalError() }

// unverified: <stdlib.h>
@discardableResult
public func atexit(_ function: (@convention(c) () -> Void)!) -> Int32 { fatalError() }

// unverified: <unistd.h>
public func _exit(_ status: Int32) -> Never { fatalError() }

// unverified: <stdlib.h>
public func malloc(_ size: Int) -> UnsafeMutableRawPointer! { fatalError() }

// unverified: <stdlib.h>
public func free(_ pointer: UnsafeMutableRawPointer!) { fatalError() }

// unverified: <stdlib.h>
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { fatalError() }

// unverified: <math.h>
public func log(_ number: Double) -> Double { fatalError() }

// documentation/os/os_unfair_lock
public struct os_unfair_lock_s {
    // unverified
    public init() {}
}

// unverified
public typealias os_unfair_lock = os_unfair_lock_s

// documentation/os/os_unfair_lock_t
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

// unverified: <os/lock.h>
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { fatalError() }

// documentation/os/os_unfair_lock_trylock
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { fatalError() }

// unverified: <os/lock.h>
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { fatalError() }

// unverified: <pthread.h>
public struct _opaque_pthread_t {}

// unverified
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

// unverified: <pthread.h>
public typealias pthread_key_t = UInt

// unverified: <pthread.h>
public func pthread_self() -> pthread_t { fatalError() }

// unverified: <pthread.h>
public func pthread_main_np() -> Int32 { fatalError() }

// unverified. On Darwin, the destructor is passed a pointer that is not optional, unlike on Linux.
@discardableResult
public func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>!, _ destructor: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 {
    fatalError()
}

// unverified: <pthread.h>
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? { fatalError() }

// unverified: <pthread.h>
@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 { fatalError() }
