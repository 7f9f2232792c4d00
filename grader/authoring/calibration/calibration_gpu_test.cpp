// Measures the kit's own references on this machine's card.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/authoring/calibration/calibration_measure.h"
#include "grader/authoring/calibration/calibration_proposal.h"
#include "grader/gpu/statistics.h"
#include "grader/gpu/testing/worker_program.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class CalibrationOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = gpu_devices(gpu_worker_program());
    if (!found) GTEST_SKIP() << "needs a GPU: " << found.error().str();
    device_ = found->front();
  }

  std::vector<CalibrationMeasurement> measured(const Lab& lab, int runs) const {
    MeasureOptions options;
    options.grade = kit_options(1);
    options.grade.machine.device = device_.profile;
    options.grade.kit.labs = kRoot / "labs";
    options.grade.kit.solutions = kRoot / "solutions";
    options.gpus = {device_};
    options.runs = runs;
    return measure({lab}, options).value();
  }

  static Lab tiled() {
    const auto lab = load_lab(kRoot / "labs/03-tiled", "", kRoot / "datasets");
    if (!lab) throw std::runtime_error(lab.error().str());
    return *lab;
  }

  GpuDevice device_;
};

TEST_F(CalibrationOnGpu, MeasuresReferenceAndBaseline) {
  const Lab lab = tiled();
  const auto measurements = measured(lab, 2);
  const auto of_the_reference = [](const auto& measurement) { return measurement.kernel.empty(); };
  ASSERT_EQ(std::ranges::count_if(measurements, of_the_reference),
            static_cast<std::ptrdiff_t>(lab.thresholds.size()));
  EXPECT_GT(measurements.size(), lab.thresholds.size()) << "right kernels that must not win";
  for (const CalibrationMeasurement& measurement : measurements) {
    SCOPED_TRACE(fmt::format("{} {}", to_string(measurement.metric), measurement.kernel));
    EXPECT_EQ(measurement.device, device_.profile.name);
    ASSERT_EQ(measurement.runs.size(), 2u);
    for (const CalibrationRun& run : measurement.runs) {
      ASSERT_EQ(run.failure, "");
      EXPECT_LE(run.value.low, run.value.median);
      EXPECT_LE(run.value.median, run.value.high);
      EXPECT_GT(run.value.time_ms, 0);
      EXPECT_GE(run.value.pairs, kFirstPairs * 2 / 3);
      EXPECT_EQ(run.value.baseline_ms > 0, measurement.metric == Metric::speedup);
      if (measurement.metric == Metric::time_ms) {
        EXPECT_EQ(run.value.median, run.value.time_ms);
      }
    }
  }
}

TEST_F(CalibrationOnGpu, TheReferenceWinsWhatIsProposed) {
  const Lab lab = tiled();
  ProposalRequest request;
  request.measurements = measured(lab, 3);
  const auto proposals = propose(lab, request);
  for (const Proposal& proposal : proposals) {
    SCOPED_TRACE(proposals_text(lab, proposals));
    ASSERT_TRUE(proposal.proposed);
    const double full = proposal.proposed->full;
    if (!about(lab.thresholds[proposal.threshold].metric).more_is_better) {
      EXPECT_LT(proposal.measured->high, full);
    } else {
      EXPECT_GT(proposal.measured->low, full);
    }
  }
}

}  // namespace
}  // namespace tessera
