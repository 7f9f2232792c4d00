#include "grader/gpu/loaded_work.h"

#include <memory>

#include "grader/gpu/cublas.h"

namespace tessera {
namespace {

std::optional<Launcher> load_kernel(const GpuKernel& kernel, const DeviceProfile& device,
                                    KernelReport* report, EndReport& end) {
  auto loaded = std::make_shared<LoadedKernel>(kernel);
  const auto finding = loaded->refused(device);
  if (!finding) loaded->prepare();
  if (report != nullptr) *report = loaded->report(device);
  if (finding) {
    end.set(GpuStatus::not_launched, *finding);
    return std::nullopt;
  }
  if (!loaded->takes_arguments()) {
    end.set(GpuStatus::infra, say(Phrase::other_arguments, Name{kernel.entry}),
            Phrase::fault_of_grader_hint);
    return std::nullopt;
  }
  return [loaded](const std::vector<std::byte*>& addresses) { return loaded->launch(addresses); };
}

}  // namespace

std::optional<Launcher> load_work(const GpuWork& work, const std::vector<GpuBuffer>& buffers,
                                  const DeviceProfile& device, KernelReport* report,
                                  EndReport& end) {
  if (const auto* kernel = std::get_if<GpuKernel>(&work))
    return load_kernel(*kernel, device, report, end);
  const CublasProduct& product = std::get<CublasProduct>(work);
  auto cublas = std::make_shared<Cublas>();
  return [cublas, &product, &buffers](const std::vector<std::byte*>& addresses) {
    cublas->multiply(product, buffers, addresses);
    return cudaSuccess;
  };
}

}  // namespace tessera
