#ifndef TEST_PROCESS_H
#define TEST_PROCESS_H

#include <stdbool.h>

/// Whether this process counts steps. Only on Linux on x86-64, and not under a sanitizer.
bool steps_can_be_counted(void);

/// The steps of the calling thread so far: the words that it has allocated, and how often it has retained or released a
/// Swift object. Calls within the Swift runtime do not count.
long steps_of_thread(void);

#endif
