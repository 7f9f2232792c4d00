#include "grader/gpu/transfer.h"

#include <gmock/gmock.h>

#include "grader/gpu/testing/gpu_fixture.h"

namespace tessera {
namespace {

using testing::ElementsAre;

constexpr int kMovedElements = 1 << 20;

class TransferOnGpu : public GpuTest {
 protected:
  TransferRequest request(MemoryKind memory) const {
    TransferRequest request;
    request.device = device;
    request.work = kernel(
        "extern \"C\" __global__ void k(const float* in, float* out) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  out[i] = 2 * in[i];\n"
        "}\n",
        {{kMovedElements / 256, 1, 1}, {256, 1, 1}, 0}, {pointer_to(0), pointer_to(1)});
    request.buffers = {input_buffer("in", std::vector<float>(kMovedElements, 1.5f)),
                       output_buffer("out", kMovedElements)};
    request.memory = memory;
    return request;
  }
};

TEST_F(TransferOnGpu, EveryKindOfMemoryReturnsTheResult) {
  for (const std::string& name : memory_kind_names()) {
    const TransferResult result = transfer_on_gpu(request(*memory_kind_from(name)));
    ASSERT_EQ(result.status, GpuStatus::completed) << name << ": " << result.message;
    EXPECT_GE(result.samples.size(), 7u) << name;
    EXPECT_TRUE(result.contents.at(0).empty());
    EXPECT_EQ(values_in<float>(result.contents.at(1)), std::vector<float>(kMovedElements, 3.0f))
        << name;
  }
}

TEST_F(TransferOnGpu, PartsAreWithinTheWhole) {
  const TransferResult result = transfer_on_gpu(request(MemoryKind::pinned));
  ASSERT_EQ(result.status, GpuStatus::completed) << result.message;
  for (const TransferSample& sample : result.samples) {
    EXPECT_GT(sample.to_device, 0);
    EXPECT_GT(sample.launch, 0);
    EXPECT_GT(sample.to_host, 0);
    EXPECT_LE(sample.to_device + sample.launch + sample.to_host, 1.05 * sample.end_to_end);
  }
}

TEST(TransferWithoutAGpu, IsInfraWithAReason) {
  if (gpu_devices(gpu_worker_program())) GTEST_SKIP() << "this machine has a GPU";
  TransferRequest request;
  request.device.worker = gpu_worker_program();
  request.buffers = {output_buffer("C", 4)};
  const TransferResult result = transfer_on_gpu(request);
  EXPECT_EQ(result.status, GpuStatus::infra);
  EXPECT_FALSE(result.message.empty());
}

TEST(MemoryKinds, HaveWords) {
  EXPECT_THAT(memory_kind_names(),
              ElementsAre("pageable", "pinned", "managed", "prefetched", "advised"));
  EXPECT_EQ(memory_kind_from("pinned"), MemoryKind::pinned);
  EXPECT_EQ(memory_kind_from("unified"), std::nullopt);
}

}  // namespace
}  // namespace tessera
