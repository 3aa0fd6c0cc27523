#include "ImportedEnum.h"
