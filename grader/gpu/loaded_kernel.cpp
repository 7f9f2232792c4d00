#include "grader/gpu/loaded_kernel.h"

#include <cstring>
#include <utility>

#include "common/launch_limits.h"
#include "grader/gpu/cuda_call.h"

namespace tessera {
namespace {

constexpr std::size_t kSharedWithoutOptIn = 48 << 10;
constexpr int kLanes = 32;

constexpr Phrase kAdvice = Phrase::simulator_names_hint;

struct Ending {
  cudaError_t code;
  GpuStatus status;
  FindingKind kind;
  Phrase message;
  Phrase hint;
};

constexpr Ending kEndings[] = {
    {cudaErrorIllegalAddress, GpuStatus::trapped, FindingKind::out_of_bounds,
     Phrase::address_without_buffer, kAdvice},
    {cudaErrorMisalignedAddress, GpuStatus::trapped, FindingKind::misaligned,
     Phrase::address_no_multiple, kAdvice},
    {cudaErrorAssert, GpuStatus::trapped, FindingKind::trap, Phrase::an_assert_failed, kAdvice},
    {cudaErrorLaunchFailure, GpuStatus::trapped, FindingKind::trap, Phrase::kernel_broke_off,
     kAdvice},
    {cudaErrorIllegalInstruction, GpuStatus::trapped, FindingKind::trap,
     Phrase::illegal_instruction, kAdvice},
    {cudaErrorHardwareStackError, GpuStatus::trapped, FindingKind::trap, Phrase::gpu_stack_overflow,
     kAdvice},
    {cudaErrorInvalidAddressSpace, GpuStatus::trapped, FindingKind::trap,
     Phrase::other_memory_address, kAdvice},
    {cudaErrorInvalidPc, GpuStatus::trapped, FindingKind::trap, Phrase::jumped_nowhere, kAdvice},
    {cudaErrorLaunchTimeout, GpuStatus::timeout, FindingKind::step_limit, Phrase::ended_by_watchdog,
     kAdvice},
    {cudaErrorLaunchOutOfResources, GpuStatus::not_launched, FindingKind::bad_launch,
     Phrase::out_of_resources, Phrase::out_of_resources_hint},
    {cudaErrorInvalidConfiguration, GpuStatus::not_launched, FindingKind::bad_launch,
     Phrase::launch_not_taken, Phrase::launch_not_taken_hint},
    {cudaErrorInvalidClusterSize, GpuStatus::not_launched, FindingKind::bad_launch,
     Phrase::cluster_not_taken, Phrase::cluster_not_taken_hint},
    {cudaErrorCooperativeLaunchTooLarge, GpuStatus::not_launched, FindingKind::bad_launch,
     Phrase::grid_not_held, Phrase::grid_not_held_hint},
    {cudaErrorInvalidPtx, GpuStatus::not_launched, FindingKind::bad_launch, Phrase::ptx_not_taken,
     Phrase::assembly_hint},
    {cudaErrorInvalidKernelImage, GpuStatus::not_launched, FindingKind::bad_launch,
     Phrase::code_not_taken, Phrase::assembly_hint},
};

}  // namespace

LoadedModule::LoadedModule(const std::string& code) {
  // PTX must end in a zero byte, which std::string supplies.
  require(cudaLibraryLoadData(&library_, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "loading the module (a cubin is for one compute capability; PTX needs a driver as new as "
          "the compiler)");
}

LoadedModule::~LoadedModule() {
  static_cast<void>(cudaLibraryUnload(library_));
}

cudaKernel_t LoadedModule::kernel(const std::string& entry) const {
  cudaKernel_t handle = nullptr;
  require(cudaLibraryGetKernel(&handle, library_, entry.c_str()),
          ("finding the kernel " + entry).c_str());
  return handle;
}

void launch_helper(cudaKernel_t kernel, unsigned blocks, unsigned threads,
                   std::vector<void*> arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = {blocks, 1, 1};
  config.blockDim = {threads, 1, 1};
  require(cudaLaunchKernelExC(&config, kernel, arguments.data()),
          "launching a kernel of the grader");
}

LoadedKernel::LoadedKernel(const GpuKernel& kernel)
    : kernel_(kernel), module_(kernel.module), handle_(module_.kernel(kernel.entry)) {
  require(cudaFuncGetAttributes(&attributes_, handle_), "asking for the kernel's attributes");
}

KernelReport LoadedKernel::report(const DeviceProfile& device) const {
  KernelReport report{.known = true,
                      .registers_per_thread = attributes_.numRegs,
                      .static_shared_bytes = attributes_.sharedSizeBytes,
                      .theoretical_occupancy = 0};
  int blocks = 0;
  const std::uint64_t threads = kernel_.shape.block.count();
  if (refused(device) ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, handle_, static_cast<int>(threads),
                                                    kernel_.shape.shared_bytes) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return report;
  }
  const std::uint64_t warps = (threads + kLanes - 1) / kLanes;
  report.theoretical_occupancy = 100.0 * blocks * static_cast<double>(warps) * kLanes /
                                 static_cast<double>(device.max_threads_per_sm);
  return report;
}

std::optional<Finding> LoadedKernel::refused(const DeviceProfile& device) const {
  std::vector<Finding> findings =
      check_launch(kernel_.shape,
                   {.static_shared_bytes = attributes_.sharedSizeBytes,
                    .registers_per_thread = attributes_.numRegs,
                    .max_threads_per_block = attributes_.maxThreadsPerBlock},
                   device);
  if (findings.empty()) return std::nullopt;
  return std::move(findings.front());
}

bool LoadedKernel::takes_arguments() const {
#if CUDART_VERSION >= 13000
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    if (cudaFuncGetParamInfo(handle_, i, &offset, &size) != cudaSuccess ||
        size != kernel_.arguments[i].bytes.size()) {
      static_cast<void>(cudaGetLastError());
      return false;
    }
  }
  const bool more =
      cudaFuncGetParamInfo(handle_, kernel_.arguments.size(), &offset, &size) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return !more;
#else
  return true;  // this runtime does not report the parameters
#endif
}

void LoadedKernel::prepare() const {
  if (kernel_.carveout) {
    require(cudaFuncSetAttribute(handle_, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 *kernel_.carveout),
            "asking for a part of L1 as shared memory");
  }
  if (kernel_.shape.shared_bytes + attributes_.sharedSizeBytes <= kSharedWithoutOptIn) return;
  require(cudaFuncSetAttribute(handle_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kernel_.shape.shared_bytes)),
          "opting in to more shared memory");
}

cudaError_t LoadedKernel::launch(const std::vector<std::byte*>& addresses) const {
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> arguments;
  arguments.reserve(kernel_.arguments.size());
  for (const GpuArgument& argument : kernel_.arguments) {
    std::vector<std::byte>& bytes = values.emplace_back(argument.bytes);
    for (const Relocation& relocation : argument.relocations) {
      std::uint64_t address = 0;
      std::memcpy(&address, bytes.data() + relocation.offset, sizeof address);
      address += reinterpret_cast<std::uint64_t>(addresses[relocation.buffer]);
      std::memcpy(bytes.data() + relocation.offset, &address, sizeof address);
    }
  }
  for (std::vector<std::byte>& bytes : values) arguments.push_back(bytes.data());
  const LaunchShape& shape = kernel_.shape;
  cudaLaunchConfig_t config{};
  config.gridDim = {shape.grid.x, shape.grid.y, shape.grid.z};
  config.blockDim = {shape.block.x, shape.block.y, shape.block.z};
  config.dynamicSmemBytes = shape.shared_bytes;
  return cudaLaunchKernelExC(&config, handle_, arguments.data());
}

void report_error(cudaError_t code, EndReport& end) {
  for (const Ending& ending : kEndings) {
    if (ending.code != code) continue;
    Finding finding;
    finding.kind = ending.kind;
    finding.message = ending.message;
    finding.hint = ending.hint;
    end.set(ending.status, finding);
    return;
  }
  end.set(
      GpuStatus::infra,
      say(Phrase::gpu_gave_up, Detail(cudaGetErrorString(code)), Detail(cudaGetErrorName(code))),
      Phrase::gpu_gave_up_hint);
}

void report_error(const CudaError& error, EndReport& end) {
  report_error(error.code(), end);
  if (end.status == GpuStatus::infra) end.set(GpuStatus::infra, error.what(), Phrase::doctor_hint);
}

}  // namespace tessera
