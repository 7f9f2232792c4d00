#include "grader/lab/lab.h"

namespace tessera {

const std::map<std::string, std::string>& counter_metrics() {
  static const std::map<std::string, std::string> metrics = {
      {"global_load_requests", "warp instructions that load from global memory"},
      {"global_load_bytes", "bytes that threads ask of global memory by loads and atomics"},
      {"global_load_sectors", "aligned 32-byte pieces that global loads touch"},
      {"global_load_excess_sectors",
       "sectors of global loads beyond the least that hold what they ask for"},
      {"global_load_sectors_per_request", "sectors a global load touches; 4 is ideal for float"},
      {"worst_load_excess_sectors", "excess sectors of the load that has most"},
      {"global_store_requests", "warp instructions that store to global memory"},
      {"global_store_sectors", "aligned 32-byte pieces that global stores touch"},
      {"global_store_excess_sectors",
       "sectors of global stores beyond the least that hold what they ask for"},
      {"global_store_sectors_per_request", "sectors a global store touches; 4 is ideal for float"},
      {"global_atomic_requests",
       "warp instructions with atomics on global memory: atomicAdd and the like"},
      {"global_atomic_sectors", "aligned 32-byte pieces that global atomics touch"},
      {"global_atomic_excess_sectors",
       "sectors of global atomics beyond the least that hold what they ask for"},
      {"shared_load_requests", "warp instructions that load from shared memory"},
      {"shared_load_wavefronts", "passes of the shared-memory pipe for loads"},
      {"shared_load_bank_conflicts", "load wavefronts beyond the least that the width needs"},
      {"shared_store_requests", "warp instructions that store to shared memory"},
      {"shared_store_wavefronts", "passes of the shared-memory pipe for stores"},
      {"shared_store_bank_conflicts", "store wavefronts beyond the least that the width needs"},
      {"shared_atomic_requests", "warp instructions with atomics on shared memory"},
      {"shared_atomic_wavefronts", "passes of the shared-memory pipe for atomics"},
      {"shared_atomic_bank_conflicts", "atomic wavefronts beyond the least that the width needs"},
      {"results_through_shared",
       "results whose elements of the inputs other threads put into shared memory, percent"},
      {"parallel_warps",
       "instructions of all warps divided by those of the warp with most; or bytes that they load "
       "from "
       "global memory, if that is less"},
      {"barriers", "warp instructions that wait for the block, as __syncthreads does"},
      {"static_shared_bytes", "bytes of __shared__ variables a block has"},
      {"dynamic_shared_bytes", "bytes of shared memory a block gets from launch"},
      {"registers_per_thread", "32-bit registers a thread holds, as the assembler assigns them"},
      {"theoretical_occupancy", "resident warps of a multiprocessor, in percent of its most"},
      {"instructions", "warp instructions executed, counted in PTX"},
  };
  return metrics;
}

std::string atomics_beside(const std::string& metric) {
  for (const std::string_view op : {"_load_", "_store_"}) {
    const std::size_t at = metric.find(op);
    if (at == std::string::npos) continue;
    const std::string atomics = std::string(metric).replace(at, op.size(), "_atomic_");
    return counter_metrics().contains(atomics) ? atomics : "";
  }
  return "";
}

const std::map<std::string, std::string>& timing_metrics() {
  static const std::map<std::string, std::string> metrics = {
      {"speedup", "time of the lab under `over` divided by the submission's, interleaved"},
      {"time_ms", "median time of one launch, milliseconds"},
      {"gflops", "10^9 floating-point operations a second"},
      {"fraction_of_cublas", "time of cuBLAS divided by the submission's"},
      {"modelled_time_ms", "the simulator's model of the time; needs no GPU"},
  };
  return metrics;
}

bool is_time(const std::string& metric) {
  return metric == "time_ms" || metric == "modelled_time_ms";
}

}  // namespace tessera
