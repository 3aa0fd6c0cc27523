#ifndef OPACITY_H
#define OPACITY_H

#include <stdint.h>

/// An empty instruction that the compiler must assume to read and to change what is at `address`, and all other memory.
static inline void opacity_touch(const void *address) {
    __asm__ volatile("" : : "r"(address) : "memory");
}

/// `number`, of which the compiler no longer knows what it is.
static inline intptr_t opacity_number(intptr_t number) {
    __asm__ volatile("" : "+r"(number));
    return number;
}

/// Calls `body` with `context`. `.ci/instructions` counts the instructions of each call of this function.
__attribute__((noinline)) void opacity_counted(void (*body)(void *), void *context);

#endif
