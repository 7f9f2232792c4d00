// A card that is not there: CUDA's runtime as the sources of the backend call it, on the host, with
// a clock of its own. What is linked with fake_card.cpp in place of the runtime can be tested
// without a GPU. One stream, in which everything is done at once.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tessera {

struct FakeKernel {
  double milliseconds = 0.01;  // that a launch takes
  /// The first launch loads code and waits for the stream meanwhile, as cuBLAS does.
  bool loads_code = false;
  int fails_at = 0;  // this launch and later ones break the context; 0: none
  std::vector<std::size_t> parameter_bytes;
  std::function<void(void** arguments)> run = [](void**) {};
  int launches = 0;
};

struct FakeCard {
  std::map<std::string, FakeKernel> kernels;  // by name, besides the grader's own
  double clock_mhz = 1000;
  double stream_ms = 0;  // what all that was queued has taken
  double cycles = 0;     // of the clock in that time
  /// Times that the host waited for a stream which the wait kernel held: on a card the wait kernel
  /// gives up after two seconds, here after one and a half.
  int stalls = 0;
  // What is not given back yet.
  int allocations = 0;
  int pinned = 0;
  int events = 0;
  int modules = 0;
  int allocations_left = -1;  // that are granted, pinned ones too; -1: all
  bool broken = false;        // a kernel broke the context
  // What the wait kernel watches, and for which number; nullptr where it is not in the stream.
  const volatile unsigned* word = nullptr;
  unsigned ticket = 0;
};

/// The only one; a test begins with fake_card() = FakeCard().
FakeCard& fake_card();

}  // namespace tessera
