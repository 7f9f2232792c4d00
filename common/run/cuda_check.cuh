// Every function of CUDA returns whether it worked. If it did not, CUDA_CHECK(call) ends the
// program and prints the call and its place.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace host {

/// Whether a running kernel caused the error. CUDA reports it in the next call that waits for it.
inline bool is_of_the_kernel(cudaError_t error) {
  return error == cudaErrorIllegalAddress || error == cudaErrorMisalignedAddress ||
         error == cudaErrorInvalidAddressSpace || error == cudaErrorInvalidPc ||
         error == cudaErrorIllegalInstruction || error == cudaErrorHardwareStackError ||
         error == cudaErrorAssert || error == cudaErrorLaunchFailure ||
         error == cudaErrorLaunchTimeout;
}

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
               cudaGetErrorName(error));
  if (is_of_the_kernel(error)) {
    std::fprintf(stderr,
                 "The kernel broke while it ran. In which line? Put compute-sanitizer before this\n"
                 "command, or run: make grade LAB=%s\n",
                 LAB);
  }
  std::exit(EXIT_FAILURE);
}

}  // namespace host

#define CUDA_CHECK(call) host::check((call), #call, __FILE__, __LINE__)
