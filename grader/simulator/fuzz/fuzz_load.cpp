// Fuzz target: loads the input as PTX.
#include <cstdint>

#include "grader/simulator/fuzz/launch_all.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto module = tessera::fuzz::loaded({reinterpret_cast<const char*>(data), size});
  if (module != nullptr) tessera::kernels(*module);
  return 0;
}
