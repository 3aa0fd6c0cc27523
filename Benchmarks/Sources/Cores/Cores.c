#ifdef __linux__
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#endif

#include "Cores.h"

#ifdef __linux__

static cpu_set_t all;
static bool is_known;

static bool learn(void) {
    if (!is_known) is_known = sched_getaffinity(0, sizeof all, &all) == 0;
    return is_known;
}

// A thread that is made later inherits the cores of the thread that makes it.
static bool use(const cpu_set_t *cores) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return false;
    for (struct dirent *thread; (thread = readdir(threads));) {
        int id = atoi(thread->d_name);
        if (id > 0) sched_setaffinity(id, sizeof *cores, cores);
    }
    closedir(threads);
    return sched_setaffinity(0, sizeof *cores, cores) == 0;
}

bool cores_use_one(void) {
    if (!learn()) return false;
    int last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &all)) last--;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    return use(&one);
}

void cores_use_all(void) {
    if (learn()) use(&all);
}

#else

bool cores_use_one(void) { return false; }

void cores_use_all(void) {}

#endif
