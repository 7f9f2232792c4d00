#include "grader/gpu/testing/fake_card.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>

#include "grader/gpu/cublas.h"
#include "grader/gpu/helper_kernels.h"
#include "grader/gpu/variation.h"

namespace tessera {
namespace {

using u64 = unsigned long long;

constexpr std::size_t kFreeBytes = 1 << 30;
constexpr auto kWaitGivesUp = std::chrono::milliseconds(1500);
constexpr double kLoadingMs = 20;
constexpr double kCopyMs = 0.25;

bool is_held() {
  const FakeCard& card = fake_card();
  return card.word != nullptr && static_cast<int>(*card.word - card.ticket) < 0;
}

/// Waits for all queued work, as the host does before it frees memory.
void wait_for_stream() {
  if (is_held()) {
    ++fake_card().stalls;
    std::this_thread::sleep_for(kWaitGivesUp);
  }
  fake_card().word = nullptr;
}

template <class T>
T argument(void** arguments, int index) {
  return *static_cast<T*>(arguments[index]);
}

void run_vary(void** arguments) {
  const auto* from = argument<const std::uint32_t*>(arguments, 0);
  auto* to = argument<std::uint32_t*>(arguments, 1);
  const auto count = static_cast<std::size_t>(argument<u64>(arguments, 2));
  std::memmove(to, from, count * sizeof *to);
  vary({to, count}, static_cast<Variation>(argument<unsigned>(arguments, 3)),
       argument<u64>(arguments, 4));
}

void run_wait(void** arguments) {
  fake_card().word = argument<const volatile unsigned*>(arguments, 0);
  fake_card().ticket = argument<unsigned>(arguments, 1);
}

/// Leaves the readings of a card with two multiprocessors.
void run_stamp(void** arguments) {
  u64* stamps = argument<u64*>(arguments, 0);
  for (int i = 0; i < 2; ++i) {
    stamps[2 * i] = static_cast<u64>(fake_card().cycles);
    stamps[2 * i + 1] = static_cast<u64>(1e6 * (1 + fake_card().stream_ms));
  }
}

void run_watch(void** arguments) {
  *argument<u64*>(arguments, 0) = 1000;
}

FakeKernel* find_kernel(const std::string& name) {
  auto& kernels = fake_card().kernels;
  if (kernels.empty() || !kernels.contains(kWaitKernel)) {
    kernels[kVaryKernel].run = run_vary;
    kernels[kWaitKernel].run = run_wait;
    kernels[kStampKernel].run = run_stamp;
    kernels[kWatchKernel].run = run_watch;
    for (const char* own : {kVaryKernel, kWaitKernel, kStampKernel, kWatchKernel})
      kernels[own].milliseconds = 0;
  }
  const auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

template <class T>
cudaError_t allocate(T** memory, std::size_t bytes, int& count) {
  if (fake_card().allocations_left == 0) return cudaErrorMemoryAllocation;
  if (fake_card().allocations_left > 0) --fake_card().allocations_left;
  *memory = static_cast<T*>(std::malloc(bytes));
  ++count;
  return cudaSuccess;
}

cudaError_t give_back(void* memory, int& count) {
  if (memory == nullptr) return cudaSuccess;
  wait_for_stream();
  std::free(memory);
  --count;
  return cudaSuccess;
}

cudaError_t state() {
  return fake_card().broken ? cudaErrorLaunchFailure : cudaSuccess;
}

}  // namespace

FakeCard& fake_card() {
  static FakeCard card;
  return card;
}

// No library is loaded: the tests' kernels stand in for cuBLAS.
Cublas::Cublas() = default;
void Cublas::multiply(const CublasProduct&, const std::vector<GpuBuffer>&,
                      const std::vector<std::byte*>&) const {
}

}  // namespace tessera

using namespace tessera;

extern "C" {

cudaError_t cudaInitDevice(int, unsigned, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "an error of the fake card";
}
const char* cudaGetErrorName(cudaError_t) {
  return "fake";
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return allocate(memory, bytes, fake_card().allocations);
}
cudaError_t cudaFree(void* memory) {
  return give_back(memory, fake_card().allocations);
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  return allocate(memory, bytes, fake_card().pinned);
}
cudaError_t cudaFreeHost(void* memory) {
  return give_back(memory, fake_card().pinned);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = *total = kFreeBytes;
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t) {
  std::memset(memory, value, bytes);
  return state();
}
cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  wait_for_stream();
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  std::memcpy(to, from, bytes);
  fake_card().stream_ms += kCopyMs;
  return state();
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  wait_for_stream();
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned) {
  return cudaMalloc(memory, bytes);
}
#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return state();
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  fake_card().stream_ms += kCopyMs;
  return state();
}
#else
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return state();
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) {
  fake_card().stream_ms += kCopyMs;
  return state();
}
#endif

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new double());
  ++fake_card().events;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<double*>(event);
  --fake_card().events;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  *reinterpret_cast<double*>(event) = fake_card().stream_ms;
  return state();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds =
      static_cast<float>(*reinterpret_cast<double*>(end) - *reinterpret_cast<double*>(start));
  return state();
}
cudaError_t cudaDeviceSynchronize() {
  wait_for_stream();
  return state();
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void*, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  *library = reinterpret_cast<cudaLibrary_t>(&fake_card());
  ++fake_card().modules;
  return cudaSuccess;
}
cudaError_t cudaLibraryUnload(cudaLibrary_t) {
  --fake_card().modules;
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t, const char* name) {
  *kernel = reinterpret_cast<cudaKernel_t>(find_kernel(name));
  return *kernel == nullptr ? cudaErrorSymbolNotFound : cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->numRegs = 32;
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* size) {
  const std::vector<std::size_t>& bytes = static_cast<const FakeKernel*>(kernel)->parameter_bytes;
  if (index >= bytes.size()) return cudaErrorInvalidValue;
  *offset = 8 * index;
  *size = bytes[index];
  return cudaSuccess;
}
#endif
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* function, void** arguments) {
  FakeCard& card = fake_card();
  FakeKernel& kernel = *static_cast<FakeKernel*>(const_cast<void*>(function));
  if (kernel.loads_code && kernel.launches == 0) {
    wait_for_stream();
    card.stream_ms += kLoadingMs;
  }
  ++kernel.launches;
  if (kernel.fails_at != 0 && kernel.launches >= kernel.fails_at) card.broken = true;
  if (card.broken) return cudaSuccess;  // waiting for the stream reports it
  kernel.run(arguments);
  card.stream_ms += kernel.milliseconds;
  card.cycles += 1e3 * card.clock_mhz * kernel.milliseconds;
  return cudaSuccess;
}

}  // extern "C"
