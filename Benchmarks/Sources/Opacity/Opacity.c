#include "Opacity.h"

void opacity_counted(void (*body)(void *), void *context) {
    body(context);
    // Not a tail call: the counting ends when this function returns.
    __asm__ volatile("" : : : "memory");
}
