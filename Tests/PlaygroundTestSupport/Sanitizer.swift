import Foundation

/// Whether the tests run under a sanitizer, which distorts measurements of memory and time.
public let isSanitized: Bool = {
    let program = dlopen(nil, RTLD_NOW)
    return dlsym(program, "__tsan_init") != nil || dlsym(program, "__asan_init") != nil
}()
