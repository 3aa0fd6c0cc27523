#include "Opacity.h"
