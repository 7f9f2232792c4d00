// Copies to the card, launches and copies back, in the worker.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "common/stopwatch.h"
#include "grader/gpu/cuda_call.h"
#include "grader/gpu/loaded_work.h"

namespace tessera {
namespace {

constexpr std::size_t kPageBytes = 4096;

bool is_managed(MemoryKind kind) {
  return kind != MemoryKind::pageable && kind != MemoryKind::pinned;
}

// Where memory shall be: CUDA 13's runtime takes other arguments than the one before it.
#if CUDART_VERSION >= 13000
using Place = cudaMemLocation;
Place on_device(int index) {
  return {.type = cudaMemLocationTypeDevice, .id = index};
}
Place on_host() {
  return {.type = cudaMemLocationTypeHost, .id = 0};
}
cudaError_t prefetch(const void* data, std::size_t bytes, Place place) {
  return cudaMemPrefetchAsync(data, bytes, place, 0, nullptr);
}
#else
using Place = int;
Place on_device(int index) {
  return index;
}
Place on_host() {
  return cudaCpuDeviceId;
}
cudaError_t prefetch(const void* data, std::size_t bytes, Place place) {
  return cudaMemPrefetchAsync(data, bytes, place, nullptr);
}
#endif

/// A buffer as the host and the GPU see it.
class Array {
 public:
  /// Throws CudaError and std::bad_alloc. Memory allocated before the throw is freed, because the
  /// delegated constructor has already completed the object.
  Array(const GpuBuffer& buffer, MemoryKind kind, int device) : Array(buffer, kind) {
    place_ = on_device(device);
    const std::size_t bytes = std::max<std::size_t>(buffer.contents.size(), 1);
    void* memory = nullptr;
    if (is_managed(kind)) {
      require(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), "taking managed memory");
      host_ = device_ = static_cast<std::byte*>(memory);
      if (kind == MemoryKind::advised) advise();
      return;
    }
    require(cudaMalloc(&memory, bytes), "taking memory on the GPU");
    device_ = static_cast<std::byte*>(memory);
    if (kind == MemoryKind::pinned) {
      require(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "taking pinned memory");
    } else {
      memory = std::malloc(bytes);
      if (memory == nullptr) throw std::bad_alloc();
    }
    host_ = static_cast<std::byte*>(memory);
  }

  ~Array() {
    static_cast<void>(cudaFree(device_));
    if (kind_ == MemoryKind::pinned) static_cast<void>(cudaFreeHost(host_));
    if (kind_ == MemoryKind::pageable) std::free(host_);
  }
  Array(Array&& other) noexcept = delete;

  std::byte* device() const { return device_; }
  const std::byte* host() const { return host_; }
  std::size_t bytes() const { return buffer_.contents.size(); }
  bool is_input() const { return buffer_.input; }

  /// Writes the contents (poison for an output) on the host, before anything is timed.
  void write() const {
    std::memcpy(host_, buffer_.contents.data(), bytes());
    if (!is_managed(kind_) && !buffer_.input)
      require(cudaMemset(device_, 0xff, bytes()), "clearing the output");
  }

  /// Queues the copy to the GPU.
  void send() const {
    if (kind_ == MemoryKind::managed) return;
    if (is_managed(kind_)) {
      require(prefetch(device_, bytes(), place_), "moving pages to the GPU");
    } else if (buffer_.input) {
      require(cudaMemcpyAsync(device_, host_, bytes(), cudaMemcpyHostToDevice, nullptr),
              "copying to the GPU");
    }
  }

  /// Queues the copy of an output to the host.
  void fetch() const {
    if (kind_ == MemoryKind::managed) return;
    if (is_managed(kind_)) {
      require(prefetch(device_, bytes(), on_host()), "moving pages to the host");
    } else {
      require(cudaMemcpyAsync(host_, device_, bytes(), cudaMemcpyDeviceToHost, nullptr),
              "copying from the GPU");
    }
  }

  /// Reads a word of each page, which brings managed pages to the host.
  void touch() const {
    for (std::size_t at = 0; at < bytes(); at += kPageBytes) {
      static_cast<void>(*static_cast<const volatile std::byte*>(host_ + at));
    }
  }

 private:
  Array(const GpuBuffer& buffer, MemoryKind kind) : buffer_(buffer), kind_(kind) {}

  void advise() const {
    const auto advice =
        buffer_.input ? cudaMemAdviseSetReadMostly : cudaMemAdviseSetPreferredLocation;
    require(cudaMemAdvise(device_, bytes(), advice, place_), "advising on managed memory");
  }

  const GpuBuffer& buffer_;
  MemoryKind kind_;
  Place place_{};
  std::byte* host_ = nullptr;
  std::byte* device_ = nullptr;
};

class Journeys {
 public:
  Journeys(const TransferRequest& request, const Launcher& launch)
      : request_(request), launch_(launch) {
    for (const GpuBuffer& buffer : request.buffers) {
      arrays_.push_back(std::make_unique<Array>(buffer, request.memory, request.device.index));
      addresses_.push_back(arrays_.back()->device());
    }
  }

  TransferSample take() const {
    for (const auto& array : arrays_) array->write();
    require(cudaDeviceSynchronize(), "waiting for the GPU");
    TransferSample sample;
    const Stopwatch stopwatch;
    begin_.record();
    for (const auto& array : arrays_) array->send();
    sent_.record();
    require(launch_(addresses_), "launching the kernel");
    computed_.record();
    for (const auto& array : arrays_) {
      if (!array->is_input()) array->fetch();
    }
    fetched_.record();
    require(cudaDeviceSynchronize(), "running the kernel");
    const double awaited = stopwatch.milliseconds();
    if (is_managed(request_.memory)) {
      for (const auto& array : arrays_) {
        if (!array->is_input()) array->touch();
      }
    }
    const double end = stopwatch.milliseconds();
    sample.to_device = sent_.milliseconds_since(begin_);
    sample.launch = computed_.milliseconds_since(sent_);
    sample.to_host = fetched_.milliseconds_since(computed_);
    if (is_managed(request_.memory)) sample.to_host += end - awaited;
    sample.end_to_end = end;
    return sample;
  }

  void copy_outputs(std::byte* to) const {
    for (const auto& array : arrays_) {
      if (array->is_input()) continue;
      std::memcpy(to, array->host(), array->bytes());
      to += array->bytes();
    }
  }

 private:
  const TransferRequest& request_;
  const Launcher& launch_;
  std::vector<std::unique_ptr<Array>> arrays_;
  std::vector<std::byte*> addresses_;
  Event begin_, sent_, computed_, fetched_;
};

void measure(const TransferRequest& request, const TransferPlace& place) {
  TransferReport& report = place.report;
  const auto launcher =
      load_work(request.work, request.buffers, request.device.profile, nullptr, report.end);
  if (!launcher) return;
  const Journeys journeys(request, *launcher);
  place.deadline.set(request.time_limit_ms);
  journeys.take();  // the first launch loads code
  const Stopwatch stopwatch;
  const std::size_t most = std::min(request.most, kMostTransfers);
  while (report.count < most) {
    if (report.count >= request.least && stopwatch.milliseconds() > request.patience_ms) break;
    report.samples[report.count++] = journeys.take();
  }
  journeys.copy_outputs(place.output);
  report.end.set(GpuStatus::completed);
}

}  // namespace

int do_transfers(const TransferRequest& request, const TransferPlace& place) {
  TransferReport& report = place.report;
  try {
    measure(request, place);
  } catch (const CudaError& error) {
    report_error(error, report.end);
  }
  report.ended = true;
  return 0;
}

}  // namespace tessera
