#ifndef IMPORTED_ENUM_H
#define IMPORTED_ENUM_H

/// An enum that Swift sees as an enum, but that has none of an enum's functions at run time.
typedef enum __attribute__((enum_extensibility(closed))) ImportedEnum {
    ImportedEnumFirst,
    ImportedEnumSecond,
} ImportedEnum;

#endif
