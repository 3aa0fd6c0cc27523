#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#else
    #error("This library knows the C libraries of Darwin, Linux (glibc and musl) and Android. To fix, add yours here.")
#endif

/// The code that differs between platforms.
enum Platform {
    static func environment(_ name: String) -> String? {
        // Unchecked: the text ends with a zero byte, and is copied before other code of this thread can change it.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    static func logarithm(_ number: Double) -> Double { log(number) }
}
