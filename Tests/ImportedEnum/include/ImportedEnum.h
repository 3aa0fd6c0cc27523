#ifndef IMPORTED_ENUM_H
#define IMPORTED_ENUM_H

#include <stdint.h>

/// An enum that Swift sees as an enum, but that has none of an enum's functions at run time.
typedef enum __attribute__((enum_extensibility(closed))) ImportedEnum {
    ImportedEnumFirst,
    ImportedEnumSecond,
} ImportedEnum;

/// A struct whose size includes the padding at its end, which no struct of Swift has.
typedef struct TrailingGap {
    int64_t value;
    uint8_t kind;
} TrailingGap;

#endif
