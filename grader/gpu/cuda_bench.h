// Samples of a launch's time, in a worker. Only sources of the CUDA implementation may include
// this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "grader/gpu/backend.h"
#include "grader/gpu/cuda_call.h"
#include "grader/gpu/loaded_work.h"

namespace tessera {

/// A kernel or a cuBLAS product, launched in the same way.
class Contestant {
 public:
  Contestant(Party party, Launcher launch) : party_(party), launch_(std::move(launch)) {}

  Party party() const { return party_; }
  cudaError_t launch(const std::vector<std::byte*>& addresses) const { return launch_(addresses); }
  int launches = 1;  // in one sample

 private:
  Party party_;
  Launcher launch_;
};

/// The buffers of one launch.
class Instance {
 public:
  explicit Instance(const std::vector<GpuBuffer>& buffers) : block_(bytes_for(buffers)) {
    std::size_t at = 0;
    for (const GpuBuffer& buffer : buffers) {
      addresses.push_back(block_.data() + at);
      at += rounded(buffer.contents.size()) + kGap;
    }
  }

  static std::size_t bytes_for(const std::vector<GpuBuffer>& buffers) {
    std::size_t bytes = 0;
    for (const GpuBuffer& buffer : buffers) bytes += rounded(buffer.contents.size()) + kGap;
    return bytes;
  }

  std::vector<std::byte*> addresses;
  std::uint64_t salt = 0;

 private:
  static constexpr std::size_t kGap = 64 << 10;  // between buffers

  static std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

  DeviceMemoryBlock block_;
};

/// A word of host memory that the wait kernel watches.
class Release {
 public:
  Release() {
    void* host = nullptr;
    require(cudaHostAlloc(&host, sizeof(unsigned), cudaHostAllocMapped), "taking pinned memory");
    word_ = static_cast<volatile unsigned*>(host);
    *word_ = 0;
    require(cudaHostGetDevicePointer(&device_, host, 0), "mapping pinned memory");
  }

  ~Release() { static_cast<void>(cudaFreeHost(const_cast<unsigned*>(word_))); }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  void* device() const { return device_; }
  unsigned next_ticket() { return ++ticket_; }
  void release() { *word_ = ticket_; }

 private:
  volatile unsigned* word_ = nullptr;
  void* device_ = nullptr;
  unsigned ticket_ = 0;
};

/// Takes samples. A sample is some launches of one contestant, each on memory and inputs of its
/// own, between two events:
///
///   new inputs, poison | clear L2 | wait kernel | stamp | event | launches | event | stamp |
///   release
///
/// The wait kernel holds the stream until everything after it is queued, so that the launches run
/// back to back. Inputs and poison are written before L2 is cleared: every launch starts with a
/// cold cache, and no result of an earlier launch is left anywhere.
class Bench {
 public:
  /// Throws CudaError, as every member function does.
  Bench(const TimingRequest& request, const std::string& helpers);

  /// Runs one launch that is not timed and waits for nothing. The first launch loads code: cuBLAS
  /// waits for the stream meanwhile, which behind the wait kernel takes until that gives up.
  void load(const Contestant& contestant);

  /// Sets how many launches make a long enough sample. `milliseconds` is the time of one warm
  /// launch.
  void calibrate(Contestant& contestant, double milliseconds);

  /// The mean time of the launches of one sample, and the clock during it.
  TimingSample sample(const Contestant& contestant);

  /// Keeps the GPU busy for longer than a process's time slice, and returns the longest time for
  /// which another process had it, in milliseconds.
  double taken_away_ms();

  /// Copies the outputs of a random launch of the last sample, which was of `contestant`. Returns
  /// the launch's salt.
  std::uint64_t copy_outputs(const Contestant& contestant, std::byte* to);

  bool coin() { return (choices_() >> 63) != 0; }
  std::size_t random_below(std::size_t limit) { return choices_() % limit; }

 private:
  int add_instances(int wanted);
  void prepare_instances(int count);
  void queue_vary(std::byte* from, std::byte* to, unsigned long long count, Variation variation,
                  unsigned long long salt);
  cudaError_t queue_launches(const Contestant& contestant);
  void queue_wait();
  void queue_stamp(const DeviceMemoryBlock& stamps);

  const TimingRequest& request_;
  LoadedModule helpers_;
  cudaKernel_t vary_, wait_, stamp_, watch_;
  Instance originals_;
  std::vector<Instance> instances_;
  DeviceMemoryBlock scratch_;
  DeviceMemoryBlock stamps_before_, stamps_after_, longest_;
  Release release_;
  Event start_, stop_;
  std::mt19937_64 salts_;    // a kernel sees what follows from them
  std::mt19937_64 choices_;  // it must not know these: which launches are verified
};

}  // namespace tessera
