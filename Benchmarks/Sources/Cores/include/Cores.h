#ifndef CORES_H
#define CORES_H

#include <stdbool.h>

/// Lets all threads of the process run on one core alone, the last that it may use. Returns whether that is so: it never
/// is where the system does not offer it.
bool cores_use_one(void);

/// Lets all threads of the process run on every core that it could use at first.
void cores_use_all(void);

#endif
