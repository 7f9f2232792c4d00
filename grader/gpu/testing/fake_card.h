// A fake card: the functions of CUDA's runtime that the backend calls, on the host, with a
// simulated clock. Code linked with fake_card.cpp instead of the runtime can be tested without a
// GPU. There is one stream, and every call completes at once.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tessera {

struct FakeKernel {
  double milliseconds = 0.01;  // of one launch
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
  double stream_ms = 0;  // time that all queued work took
  double cycles = 0;     // clock cycles in that time
  /// How often the host waited for a stream that the wait kernel held. The wait kernel gives up
  /// after two seconds on a card, here after one and a half.
  int stalls = 0;
  // Resources that are not freed yet.
  int allocations = 0;
  int pinned = 0;
  int events = 0;
  int modules = 0;
  int allocations_left = -1;  // how many more succeed, pinned memory included; -1: all
  bool broken = false;        // a kernel broke the context
  // The word and the ticket that the wait kernel watches for; nullptr if it is not in the stream.
  const volatile unsigned* word = nullptr;
  unsigned ticket = 0;
};

/// The only fake card; each test begins with fake_card() = FakeCard().
FakeCard& fake_card();

}  // namespace tessera
