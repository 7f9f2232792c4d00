#include "grader/gpu/helper_kernels.h"

#include "grader/compile/compiler.h"

namespace tessera {
namespace {

// mixed() and the variations are those of variation.cpp. tessera_stamp is launched with as
// many blocks as there are multiprocessors; each multiprocessor that runs a block leaves a reading.
constexpr const char* kSource = R"cuda(
typedef unsigned long long u64;

__device__ u64 nanoseconds() {
  u64 time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ u64 mixed(u64 value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdull;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ull;
  return value ^ (value >> 33);
}

extern "C" __global__ void tessera_vary(const unsigned* from, unsigned* to, u64 count,
                                        unsigned variation, u64 salt) {
  const u64 step = (u64)gridDim.x * blockDim.x;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    unsigned bits = from[i];
    if (variation != 0) {
      const u64 drawn = mixed(salt + i);
      if (drawn >> 63) bits = variation == 2 ? 0u - bits : bits ^ 0x80000000u;
      if (variation == 3 && (drawn >> 62 & 1)) bits ^= 0x8000u;
    }
    to[i] = bits;
  }
}

extern "C" __global__ void tessera_wait(const volatile unsigned* released, unsigned ticket,
                                        u64 patience) {
  const u64 start = nanoseconds();
  while ((int)(*released - ticket) < 0 && nanoseconds() - start < patience) {
  }
}

// The longest time between two readings of the clock: another process had the GPU in between.
extern "C" __global__ void tessera_watch(u64* longest, u64 duration) {
  const u64 start = nanoseconds();
  u64 last = start, worst = 0;
  while (last - start < duration) {
    const u64 now = nanoseconds();
    if (now - last > worst) worst = now - last;
    last = now;
  }
  *longest = worst;
}

extern "C" __global__ void tessera_stamp(u64* stamps, unsigned most) {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (multiprocessor >= most) return;
  stamps[2 * multiprocessor] = clock64();
  stamps[2 * multiprocessor + 1] = nanoseconds();
}
)cuda";

}  // namespace

Expected<std::string> helper_module(int compute_capability, const CompilerSetup& compiler) {
  CompileRequest request;
  request.source = kSource;
  request.file_name = "helper_kernels.cu";
  request.compiler = compiler;
  request.compiler.kind = CompilerKind::nvrtc;
  request.compiler.include_dir = "/usr/include";  // nothing is included
  request.compute_capability = compute_capability;
  request.cubin = true;
  auto result = compile(request);
  if (!result) return result.error();
  if (!result->ok)
    return Error{.file = "helper_kernels.cu", .message = result->findings.front().message};
  return std::move(result->cubin);
}

}  // namespace tessera
