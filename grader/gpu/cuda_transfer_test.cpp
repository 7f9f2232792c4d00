// Copies to the card, launches and copies back in the worker, on a fake card.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "grader/gpu/backend.h"
#include "grader/gpu/testing/fake_card.h"
#include "grader/gpu/testing/gpu_buffers.h"

namespace tessera {
namespace {

constexpr std::size_t kMovedElements = 3000;
/// Transfers around a kernel that copies A to B and takes 2 ms.
class CudaTransfer : public testing::TestWithParam<MemoryKind> {
 protected:
  CudaTransfer() {
    fake_card() = FakeCard();
    FakeKernel& kernel = fake_card().kernels["copy"];
    kernel.milliseconds = 2;
    kernel.parameter_bytes = {8, 8};
    kernel.run = [](void** arguments) {
      std::memcpy(*static_cast<void**>(arguments[1]), *static_cast<void**>(arguments[0]),
                  kMovedElements * sizeof(float));
    };
    request_.device.profile = *load_device_profile(
        "tesla-t4", std::filesystem::path(TESSERA_SOURCE_DIR) / "common/devices");
    request_.work =
        GpuKernel{"module", "copy", {{1, 1, 1}, {32, 1, 1}, 0}, {pointer_to(0), pointer_to(1)}};
    request_.buffers = {input_buffer("A", std::vector<float>(kMovedElements, 2.5f)),
                        output_buffer("B", kMovedElements)};
    request_.memory = GetParam();
  }

  void transfer() {
    report_ = std::make_unique<TransferReport>();
    output_.assign(kMovedElements * sizeof(float), std::byte{0});
    EXPECT_EQ(do_transfers(request_,
                           {.report = *report_, .output = output_.data(), .deadline = deadline_}),
              0);
    EXPECT_TRUE(report_->ended);
    EXPECT_EQ(fake_card().allocations, 0);
    EXPECT_EQ(fake_card().pinned, 0);
    EXPECT_EQ(fake_card().events, 0);
    EXPECT_EQ(fake_card().modules, 0);
  }

  TransferRequest request_;
  std::unique_ptr<TransferReport> report_;
  Deadline deadline_;
  std::vector<std::byte> output_;
};

TEST_P(CudaTransfer, BringsTheResultBackAndTimesTheParts) {
  transfer();
  ASSERT_EQ(report_->end.status, GpuStatus::completed) << report_->end.message.get();
  EXPECT_EQ(output_, request_.buffers[0].contents);
  ASSERT_EQ(report_->count, 21u);
  const bool copied = GetParam() != MemoryKind::managed;
  for (std::size_t i = 0; i < report_->count; ++i) {
    const TransferSample& sample = report_->samples[i];
    EXPECT_EQ(sample.to_device > 0.2, copied) << sample.to_device;
    EXPECT_NEAR(sample.launch, 2, 1e-3);
    EXPECT_EQ(sample.to_host > 0.2, copied) << sample.to_host;
    EXPECT_GT(sample.end_to_end, 0);
  }
}

TEST_P(CudaTransfer, StopsWithTheLeastWhenPatienceIsOver) {
  request_.patience_ms = 0;
  transfer();
  EXPECT_EQ(report_->count, request_.least);
}

TEST_P(CudaTransfer, AKernelThatBreaksTheContextIsReported) {
  for (const int launch : {1, 2, 5}) {
    fake_card().broken = false;
    fake_card().kernels["copy"].launches = 0;
    fake_card().kernels["copy"].fails_at = launch;
    transfer();
    EXPECT_EQ(report_->end.status, GpuStatus::trapped) << launch;
  }
}

TEST_P(CudaTransfer, MemoryThatIsNotGrantedIsNoFaultOfTheKernel) {
  for (const int granted : {0, 1}) {
    fake_card().allocations_left = granted;
    transfer();
    EXPECT_EQ(report_->end.status, GpuStatus::infra) << granted;
    EXPECT_EQ(report_->count, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(EachKind, CudaTransfer,
                         testing::Values(MemoryKind::pageable, MemoryKind::pinned,
                                         MemoryKind::managed, MemoryKind::prefetched,
                                         MemoryKind::advised));

}  // namespace
}  // namespace tessera
