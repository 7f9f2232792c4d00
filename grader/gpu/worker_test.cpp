// The grader's side of a worker that hangs, dies or was broken into: none of these gains points.
#include "grader/gpu/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "common/temporary_directory.h"
#include "grader/gpu/run.h"
#include "grader/gpu/testing/gpu_buffers.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/worker/report_check.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

class BrokenWorker : public ::testing::Test {
 protected:
  std::filesystem::path program(const std::string& deed) const {
    const std::filesystem::path link = folder_.path() / deed;
    std::filesystem::create_symlink(TESSERA_BROKEN_GPU_WORKER, link);
    return link;
  }

  WorkerEnd end_of(const std::string& deed, double patience_ms = 10'000, double most_ms = 10'000) {
    WorkerTask task{DevicesJob{}};
    return task.run(program(deed), patience_ms, most_ms).value();
  }

  std::vector<GpuRunResult> runs_of(const std::string& deed) const {
    GpuRun run;
    run.kernel = {"", "k", {}, {pointer_to(0)}};
    run.buffers = {output_buffer("C", 4)};
    const std::vector<GpuRun> runs(2, run);
    GpuDevice device;
    device.uuid = "test-of-workers";
    device.worker = program(deed);
    return run_on_gpu(device, runs);
  }

  /// Why the judge refuses a forged measurement.
  std::optional<std::string> refused(const std::string& deed) const {
    TimingRequest request;
    request.baseline = CublasProduct{0, 0, 0, 0, 0, 0};
    request.buffers = {output_buffer("C", 4)};
    WorkerTask task(TimingJob{.request = request, .helpers = ""});
    const auto worker = task.run(program(deed), 10'000, 10'000);
    return why_impossible(task.results().at<TimingReport>(1), request, worker->milliseconds);
  }

 private:
  TemporaryDirectory folder_;
};

TEST_F(BrokenWorker, StatusOutputAndLogAreReturned) {
  const WorkerEnd end = end_of("says");
  EXPECT_EQ(end.end, WorkerEnd::End::exited);
  EXPECT_EQ(end.status, 7);
  EXPECT_EQ(end.output, "said\n");
  EXPECT_EQ(end.log, "complained");
}

TEST_F(BrokenWorker, IsKilledAtItsDeadline) {
  EXPECT_EQ(end_of("hangs", 100).end, WorkerEnd::End::overdue);
}

TEST_F(BrokenWorker, CannotMoveItsDeadlineWithoutEnd) {
  EXPECT_EQ(end_of("hangs-beyond-its-deadline", 1000, 400).end, WorkerEnd::End::overdue);
}

TEST_F(BrokenWorker, MayMoveItsDeadline) {
  EXPECT_EQ(end_of("moves-its-deadline", 200).status, 3);
}

TEST_F(BrokenWorker, ItsFloodIsCut) {
  EXPECT_EQ(end_of("floods").output.size(), std::size_t{1} << 20);
}

TEST_F(BrokenWorker, ACrashIsTheSignal) {
  const WorkerEnd end = end_of("dies");
  EXPECT_EQ(end.end, WorkerEnd::End::crashed);
  EXPECT_EQ(end.status, SIGKILL);
}

TEST_F(BrokenWorker, RunsItForgesAreTheKernelsFault) {
  for (const char* deed :
       {"no-such-stage", "output-without-end", "time-no-number", "finding-of-the-judge",
        "damage-nowhere", "dies-in-a-launch", "leaves-in-a-launch"}) {
    const auto results = runs_of(deed);
    ASSERT_EQ(results.size(), 2u) << deed;
    EXPECT_EQ(results[0].status, GpuStatus::trapped) << deed << results[0].message;
    ASSERT_EQ(results[0].findings.size(), 1u) << deed;
    EXPECT_EQ(results[0].findings[0].kind, FindingKind::grader_crash) << deed;
    EXPECT_THAT(results[0].message, HasSubstr("broke the process")) << deed;
    EXPECT_TRUE(results[0].contents.empty()) << deed;
  }
}

TEST_F(BrokenWorker, TimesItForgesAreRefused) {
  for (const char* deed :
       {"time-no-number", "time-below-zero", "time-of-nothing", "baseline-beyond-its-life",
        "too-many-pairs", "no-launches", "no-such-status", "truth-of-seven", "text-beyond-its-room",
        "text-of-no-phrase"}) {
    EXPECT_TRUE(refused(deed)) << deed;
  }
  EXPECT_EQ(refused("honest"), std::nullopt);
}

TEST_F(BrokenWorker, ItsTextsArriveAsPhrases) {
  TimingRequest request;
  request.baseline = CublasProduct{0, 0, 0, 0, 0, 0};
  request.buffers = {output_buffer("C", 4)};
  WorkerTask task(TimingJob{.request = request, .helpers = ""});
  ASSERT_TRUE(task.run(program("texts"), 10'000, 10'000));
  const TimingReport report = task.results().at<TimingReport>(1);
  EXPECT_EQ(why_impossible(report, request, 1000), std::nullopt);
  EXPECT_EQ(reported(report.end).message, say(Phrase::other_arguments, Name{"?"}));
}

TEST(SharedText, ATextThatIsTooLongIsCut) {
  SharedText shared{};
  shared.set(say(Phrase::other_arguments, Name{std::string(1 << 20, 'x')}));
  EXPECT_EQ(shared.get().str(), std::string(2046, 'x'));
  EXPECT_EQ(SharedText{}.get(), Text());
}

}  // namespace
}  // namespace tessera
