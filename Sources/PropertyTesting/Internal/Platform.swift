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
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }
}
