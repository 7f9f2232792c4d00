#include <tessera/limits.cuh>
