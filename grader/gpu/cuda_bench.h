// Samples of a launch's time, in a worker. Sources of the CUDA implementation alone may include
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

/// Kernel or cuBLAS, as one thing to launch.
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

/// One set of buffers for one launch.
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

/// A word of the host's memory that the wait kernel watches.
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

/// Takes samples. One sample is some launches of one contestant, each on memory and inputs of its
/// own, between two events:
///
///   new inputs, poison | clear L2 | wait kernel | stamp | event | launches | event | stamp |
///   release
///
/// The wait kernel holds the stream until everything behind it is queued, so that the launches run
/// back to back. Inputs and poison are written before L2 is cleared: every launch starts cold, and
/// no answer of an earlier launch is left anywhere.
class Bench {
 public:
  /// Throws CudaError, as everything here.
  Bench(const TimingRequest& request, const std::string& helpers);

  /// One launch that is not timed and waits for nothing. The first one loads code: cuBLAS waits for
  /// the stream while it does, which behind the wait kernel would take until that gives up.
  void load(const Contestant& contestant);

  /// Finds how many launches make a sample long enough. `milliseconds` is what one took, once it
  /// was warm.
  void calibrate(Contestant& contestant, double milliseconds);

  /// Time of one launch, the mean of those in the sample.
  TimingSample sample(const Contestant& contestant);

  /// Keeps the GPU for longer than the slices of time that processes take turns in, and returns the
  /// longest time for which it was taken away, in milliseconds.
  double taken_away_ms();

  /// The outputs of one launch, at random, of the last sample, which was of `contestant`. Returns
  /// its salt.
  std::uint64_t copy_outputs(const Contestant& contestant, std::byte* to);

  bool coin() { return (random_() >> 63) != 0; }
  std::size_t random_below(std::size_t limit) { return random_() % limit; }

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
  std::mt19937_64 random_;
};

}  // namespace tessera
