#define _GNU_SOURCE
#include <stdlib.h>

// Where the calling conventions are known. Sanitizers have a `malloc` of their own.
#if defined(__GLIBC__) && defined(__x86_64__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define COUNTS_STEPS 1
#include <dlfcn.h>
#include <stdatomic.h>
#endif

#include "TestProcess.h"

#ifdef COUNTS_STEPS

static _Thread_local long steps;

bool steps_can_be_counted(void) { return true; }

long steps_of_thread(void) { return steps; }

// The functions of a program take precedence over those of its libraries. These three count, and call the others.

extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
    steps += size / sizeof(void *);
    return __libc_malloc(size);
}

// Looked up at the first call, because libraries may retain objects before the constructors of this program run.
static void *library_function(_Atomic(void *) *function, const char *name) {
    void *known = atomic_load_explicit(function, memory_order_relaxed);
    if (known) return known;
    known = dlsym(RTLD_NEXT, name);
    if (!known) abort();
    atomic_store_explicit(function, known, memory_order_relaxed);
    return known;
}

void *swift_retain(void *object) {
    static _Atomic(void *) function;
    steps++;
    return ((void *(*)(void *))library_function(&function, "swift_retain"))(object);
}

void swift_release(void *object) {
    static _Atomic(void *) function;
    steps++;
    ((void (*)(void *))library_function(&function, "swift_release"))(object);
}

#else

bool steps_can_be_counted(void) { return false; }

long steps_of_thread(void) { return 0; }

#endif
