#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts all tests at once by default. Thousands of tests then share few threads, and each of them takes as
// long as the whole run. A time limit would then limit the whole run. Swift Testing reads this variable when the tests
// begin, so this constructor sets it, unless it is set. The child processes of exit tests inherit it.
__attribute__((constructor)) static void limit_width(void) {
    char width[24];
    snprintf(width, sizeof width, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
