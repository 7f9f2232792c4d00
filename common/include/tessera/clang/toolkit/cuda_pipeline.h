// Asynchronous copies for Clang: the functions, without the Toolkit's class `pipeline`.
#pragma once
#pragma clang system_header

#include <cuda_pipeline_primitives.h>
