// Timing in the worker, on a fake card.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <set>

#include "grader/gpu/backend.h"
#include "grader/gpu/testing/fake_card.h"
#include "grader/gpu/testing/gpu_buffers.h"

namespace tessera {
namespace {

using testing::HasSubstr;

constexpr std::size_t kElements = 64;

/// Times kernels that copy A to B.
class CudaTiming : public testing::Test {
 protected:
  CudaTiming() {
    fake_card() = FakeCard();
    request_.device.profile = *load_device_profile(
        "tesla-t4", std::filesystem::path(TESSERA_SOURCE_DIR) / "common/devices");
    request_.candidate = copy("candidate", 0.01);
    std::vector<float> values(kElements);
    for (std::size_t i = 0; i < kElements; ++i) values[i] = static_cast<float>(i) + 1;
    request_.buffers = {input_buffer("A", values), output_buffer("B", kElements)};
    request_.outputs = 1;
    request_.seed = 7;
  }

  static GpuKernel copy(const std::string& name, double milliseconds) {
    FakeKernel& kernel = fake_card().kernels[name];
    kernel.milliseconds = milliseconds;
    kernel.parameter_bytes = {8, 8};
    kernel.run = [](void** arguments) {
      std::memcpy(*static_cast<void**>(arguments[1]), *static_cast<void**>(arguments[0]),
                  kElements * sizeof(float));
    };
    return {"module", name, {{1, 1, 1}, {32, 1, 1}, 0}, {pointer_to(0), pointer_to(1)}};
  }

  void measure() {
    report_ = std::make_unique<TimingReport>();
    outputs_.assign(request_.outputs * kElements * sizeof(float), std::byte{0});
    EXPECT_EQ(do_timing({.request = request_, .helpers = "helpers"},
                        {.report = *report_, .outputs = outputs_.data(), .deadline = deadline_}),
              0);
    EXPECT_TRUE(report_->ended);
  }

  GpuStatus status() const { return report_->end.status; }

  TimingRequest request_;
  std::unique_ptr<TimingReport> report_;
  Deadline deadline_;
  std::vector<std::byte> outputs_;
};

TEST_F(CudaTiming, TakesTwentyOnePairsOfSamplesThatAreLongEnough) {
  measure();
  ASSERT_EQ(status(), GpuStatus::completed) << report_->end.message.get();
  EXPECT_EQ(report_->pairs, kFirstPairs);
  EXPECT_NEAR(report_->candidate_launches, 24, 1) << "0.24 ms";
  for (std::size_t i = 0; i < report_->pairs; ++i) {
    EXPECT_NEAR(report_->pair[i].candidate.milliseconds, 0.01, 1e-5);
    EXPECT_NEAR(report_->pair[i].candidate.clock_mhz, 1000, 1);
    EXPECT_FALSE(report_->pair[i].shared);
  }
}

TEST_F(CudaTiming, CodeIsLoadedBeforeTheStreamIsHeldAndCountsForNothing) {
  request_.baseline = copy("baseline", 0.02);
  fake_card().kernels["candidate"].loads_code = true;
  fake_card().kernels["baseline"].loads_code = true;
  request_.least_pairs = 3;
  request_.patience_ms = 1000;
  measure();
  EXPECT_EQ(fake_card().stalls, 0);
  EXPECT_EQ(report_->pairs, kFirstPairs);
  EXPECT_NEAR(report_->candidate_launches, 24, 1);
  EXPECT_NEAR(report_->baseline_launches, 12, 1);
  EXPECT_NEAR(report_->pair[0].baseline.milliseconds, 0.02, 1e-5);
}

TEST_F(CudaTiming, PatienceBeginsWithTheFirstPair) {
  request_.least_pairs = 3;
  request_.patience_ms = 0;
  measure();
  EXPECT_EQ(report_->pairs, 3u);
  EXPECT_GT(fake_card().kernels["candidate"].launches, 24 * 3 + 1) << "it was warm before";
}

TEST_F(CudaTiming, AClockThatDoesNotSettleIsGivenUpAfterASecond) {
  fake_card().kernels["candidate"].run = [](void**) {
    fake_card().clock_mhz = fake_card().clock_mhz > 1200 ? 1000 : 1500;
  };
  request_.least_pairs = 3;
  request_.patience_ms = 0;
  const auto start = std::chrono::steady_clock::now();
  measure();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  EXPECT_EQ(status(), GpuStatus::completed);
  EXPECT_EQ(report_->pairs, 3u);
}

TEST_F(CudaTiming, TheOutputsAreThoseOfTheirInputs) {
  request_.least_pairs = 3;
  request_.patience_ms = 0;
  request_.outputs = 2;
  measure();
  for (std::size_t i = 0; i < request_.outputs; ++i) {
    auto expected = values_in<std::uint32_t>(request_.buffers[0].contents);
    vary(expected, request_.variation, buffer_salt(report_->salts[i], 0));
    const std::byte* output = outputs_.data() + i * kElements * sizeof(float);
    EXPECT_EQ(values_in<std::uint32_t>({output, output + kElements * sizeof(float)}), expected);
  }
}

TEST_F(CudaTiming, EachPairMayBeTheOneThatIsVerified) {
  constexpr std::size_t kPairs = 3;
  request_.least_pairs = kPairs;
  request_.patience_ms = 0;
  FakeKernel& kernel = fake_card().kernels["candidate"];
  kernel.run = [](void** arguments) {
    const auto number = static_cast<std::uint32_t>(fake_card().kernels["candidate"].launches);
    std::memcpy(*static_cast<void**>(arguments[1]), &number, sizeof number);
  };
  std::set<std::size_t> verified;  // counted from the last pair
  for (request_.seed = 0; request_.seed < 12; ++request_.seed) {
    measure();
    ASSERT_EQ(report_->pairs, kPairs);
    std::uint32_t number = 0;
    std::memcpy(&number, outputs_.data(), sizeof number);
    verified.insert((static_cast<std::size_t>(kernel.launches) - number) /
                    report_->candidate_launches);
  }
  EXPECT_EQ(verified, (std::set<std::size_t>{0, 1, 2}));
}

TEST_F(CudaTiming, GivesEverythingBack) {
  request_.baseline = copy("baseline", 0.001);
  measure();
  ASSERT_EQ(status(), GpuStatus::completed);
  EXPECT_EQ(fake_card().allocations, 0);
  EXPECT_EQ(fake_card().pinned, 0);
  EXPECT_EQ(fake_card().events, 0);
  EXPECT_EQ(fake_card().modules, 0);
}

TEST_F(CudaTiming, AKernelThatBreaksTheContextIsReportedWheneverItDoes) {
  for (const int launch : {1, 2, 30, 300}) {
    fake_card() = FakeCard();
    request_.candidate = copy("candidate", 0.01);
    fake_card().kernels["candidate"].fails_at = launch;
    measure();
    EXPECT_EQ(status(), GpuStatus::trapped) << launch;
    EXPECT_EQ(report_->active, Party::candidate) << launch;
    EXPECT_EQ(fake_card().stalls, 0)
        << launch << ": the host does not wait for a stream that is held";
    EXPECT_EQ(fake_card().allocations, 0) << launch;
    EXPECT_EQ(fake_card().pinned, 0) << launch;
    EXPECT_EQ(fake_card().events, 0) << launch;
    EXPECT_EQ(fake_card().modules, 0) << launch;
  }
}

TEST_F(CudaTiming, ABaselineThatBreaksTheContextIsNamed) {
  request_.baseline = copy("baseline", 0.01);
  fake_card().kernels["baseline"].fails_at = 1;
  measure();
  EXPECT_EQ(status(), GpuStatus::trapped);
  EXPECT_EQ(report_->active, Party::baseline);
}

TEST_F(CudaTiming, AKernelThatIsNotInItsModuleIsInfra) {
  std::get<GpuKernel>(request_.candidate).entry = "another";
  measure();
  EXPECT_EQ(status(), GpuStatus::infra);
  EXPECT_THAT(std::string(report_->end.message.get()), HasSubstr("finding the kernel another"));
  EXPECT_EQ(fake_card().modules, 0);
}

}  // namespace
}  // namespace tessera
