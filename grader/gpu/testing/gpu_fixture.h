// What every test on a GPU needs: the card, or a reason to skip, and kernels compiled from source.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/testing/kit_compiler.h"
#include "grader/gpu/device.h"
#include "grader/gpu/kernel.h"
#include "grader/gpu/testing/gpu_buffers.h"
#include "grader/gpu/testing/worker_program.h"

namespace tessera {

class GpuTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { devices().emplace(gpu_devices(gpu_worker_program())); }
  static void TearDownTestSuite() { devices().reset(); }

  void SetUp() override {
    const Expected<std::vector<GpuDevice>>& found = *devices();
    if (!found) GTEST_SKIP() << "needs a GPU: " << found.error().str();
    device = found->front();
  }

  /// A cubin (or PTX) of `source` for the card.
  std::string module_of(const std::string& source, bool cubin = true) const {
    CompileRequest request;
    request.source = Source(source);
    request.compiler = kit_compiler(CompilerKind::nvrtc);
    request.compute_capability = device.profile.compute_capability;
    request.cubin = cubin;
    const auto result = compile(request);
    if (!result || !result->ok) {
      ADD_FAILURE() << (result ? result->findings.front().message.str() : result.error().str());
      return "";
    }
    return cubin ? result->cubin : result->ptx;
  }

  /// The kernel `k` of `source`, which must be extern "C".
  GpuKernel kernel(const std::string& source, LaunchShape shape,
                   std::vector<GpuArgument> arguments) const {
    return {module_of(source), "k", shape, std::move(arguments)};
  }

  GpuDevice device;

 private:
  static std::optional<Expected<std::vector<GpuDevice>>>& devices() {
    static std::optional<Expected<std::vector<GpuDevice>>> found;
    return found;
  }
};

template <class T>
GpuArgument value_of(const T& value) {
  GpuArgument argument{std::vector<std::byte>(sizeof value), {}};
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

}  // namespace tessera
