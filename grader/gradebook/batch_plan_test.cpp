#include <gmock/gmock.h>

#include "grader/gradebook/batch.h"
#include "grader/gradebook/code_key.h"
#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A lab with points for time on an H200, and a class of one.
class PlanJobs : public BookTest {
 protected:
  PlanJobs() {
    lab_.id = "03-tiled";
    Threshold threshold;
    threshold.metric = Metric::time_ms;
    threshold.devices = {{"NVIDIA H200", {.zero = 2, .full = 1}}};
    lab_.thresholds = {threshold};
    book_.set_assignment(assignment("03-tiled", "h1"));
    const RowId jane = book_.add_student(Person{.name = "Jane"});
    book_.add_attempt(attempt("03-tiled", {jane}, "a"), "int a;");
    book_.add_attempt(attempt("03-tiled", {jane}, "b"), "int a;  // again");
    book_.add_attempt(attempt("03-tiled", {jane}, "c"), "int c;");
  }

  static std::vector<GpuDevice> gpu(const std::string& name) {
    GpuDevice device;
    device.profile.name = name;
    return {device};
  }

  void grade(const std::string& sha256, double deferred, const std::string& shared_from = "") {
    BookResult graded = result("03-tiled", sha256, "h1", 70);
    graded.deferred = deferred;
    graded.shared_from = shared_from;
    book_.add_results({graded});
  }

  std::vector<Job> planned(const std::vector<GpuDevice>& gpus) {
    return plan_jobs(book_, {lab_}, gpus, false);
  }

  Lab lab_;
};

TEST_F(PlanJobs, WhatTheSimulatorCannotJudgeIsGradedOnAGpu) {
  BookResult open = result("03-tiled", "a", "h1", 0);
  open.awaits_gpu = true;
  book_.add_results({open});
  grade("b", 0, "a");
  grade("c", 0);
  EXPECT_THAT(planned({}), IsEmpty());
  const std::vector<Job> jobs = planned(gpu("Tesla T4"));
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].source, "a");
}

TEST_F(PlanJobs, OneCodeIsGradedOnce) {
  const std::vector<Job> jobs = planned({});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].source, "a");
  EXPECT_THAT(jobs[0].others, ElementsAre("b"));
  EXPECT_EQ(jobs[1].source, "c");
}

TEST_F(PlanJobs, ComparesSourcesByKeysThatAreComputedOnce) {
  ASSERT_EQ(planned({}).size(), 2u);
  auto keys = book_.source_keys(kCodeKeyVersion);
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys["a"], code_key("int a;"));
  EXPECT_EQ(keys["a"], keys["b"]);
  // Were they computed again, c would have a key of its own.
  book_.set_source_keys(kCodeKeyVersion, {{"c", keys["a"]}});
  EXPECT_EQ(planned({}).size(), 1u);
}

TEST_F(PlanJobs, KeysOfAnotherVersionAreMadeAnew) {
  book_.set_source_keys(kCodeKeyVersion - 1, {{"a", "k"}, {"b", "k"}, {"c", "k"}});
  EXPECT_EQ(planned({}).size(), 2u);
  EXPECT_TRUE(book_.source_keys(kCodeKeyVersion - 1).empty());
}

TEST_F(PlanJobs, AGradedCodesResultIsCopiedAndNotRun) {
  grade("a", 0);
  const std::vector<Job> jobs = planned({});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].source, "b");
  EXPECT_EQ(jobs[0].graded, "a");
}

TEST_F(PlanJobs, PointsThatWaitedForAGpuAreMeasuredWhereItIs) {
  grade("a", 30);
  grade("b", 30, "a");
  grade("c", 0);
  EXPECT_THAT(planned({}), IsEmpty());
  EXPECT_THAT(planned(gpu("NVIDIA A100")), IsEmpty()) << "it can measure none of them";
  const std::vector<Job> jobs = planned(gpu("NVIDIA H200"));
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].source, "a");
  EXPECT_THAT(jobs[0].others, ElementsAre("b"));
  EXPECT_EQ(jobs[0].graded, "") << "what could not be measured is no result to copy";
}

TEST_F(PlanJobs, PointsThatTheModelGivesWaitForNoGpu) {
  lab_.thresholds[0].metric = Metric::modelled_time_ms;
  grade("a", 30);
  grade("b", 30, "a");
  grade("c", 0);
  EXPECT_THAT(planned(gpu("NVIDIA H200")), IsEmpty());
}

}  // namespace
}  // namespace tessera
