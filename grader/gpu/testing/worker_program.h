// The program that tests start to drive a GPU.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tessera {

/// TESSERA_TEST_GPU_WORKER if it is set, otherwise the program that grading starts.
inline std::filesystem::path gpu_worker_program() {
  const char* chosen = std::getenv("TESSERA_TEST_GPU_WORKER");
  return chosen != nullptr ? chosen : TESSERA_GPU_WORKER;
}

}  // namespace tessera
