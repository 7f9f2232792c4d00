// How the parent grades when its worker was taken over, or a kernel broke it.
#include "grader/gradebook/grading_worker.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "common/sha256.h"
#include "common/temporary_directory.h"
#include "grader/judge/points/weigh.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSource = "int x;\n";

class GradingWorker : public ::testing::Test {
 protected:
  GradingWorker() {
    std::filesystem::create_directory(folder_.path() / "01-naive");
    folder_.write("01-naive/lab.yaml", R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16, data: integers}
)");
    lab_ = *load_lab(folder_.path() / "01-naive", "", folder_.path());
    options_.stage = folder_.path();
    options_.program = folder_.path() / "worker";
    options_.seed = 7;
    for (const char* program : {"tessera-interpreter", "tessera-compiler"})
      folder_.write(program, "");
  }

  /// The lab's record with all points, as an honest worker would write it.
  std::string full_record(std::uint64_t seed, const std::string& source = kSource) {
    Record record;
    record.lab = lab_.id;
    record.sha256 = sha256(source);
    record.seed = seed;
    record.backend = "simulator";
    record.items = weigh_nothing(lab_, Status::pass, "", "", {});
    for (Item& item : record.items) item.points = item.max_points;
    sum_points(record);
    return json_report({record});
  }

  /// Grades with a worker that runs this shell script if there is a kernel.
  Record graded_by(const std::string& script) {
    folder_.write("nothing", full_record(7, ""));
    return graded_always_by("if [ ! -s \"$6/$2/kernel.cu\" ]; then exec cat " +
                            (folder_.path() / "nothing").string() + "; fi\n" + script);
  }

  Record graded_always_by(const std::string& script) {
    const auto program = folder_.write("worker", "#!/bin/sh\n" + script + "\n");
    chmod(program.c_str(), 0700);
    const std::atomic<bool> never = false;
    const auto record = grade_in_sandbox(lab_, kSource, "kernel.cu", options_, never);
    EXPECT_TRUE(record);
    return record ? *record : Record();
  }

  Record graded_by_printing(const std::string& text) {
    folder_.write("answer", text);
    return graded_by("cat " + (folder_.path() / "answer").string());
  }

  static bool is_blamed(const Record& record) {
    const auto& findings = record.items.at(0).findings;
    return record.score == 0 && record.deferred == 0 && findings.size() == 1 &&
           findings[0].kind == FindingKind::grader_crash;
  }

  TemporaryDirectory folder_;
  Lab lab_;
  WorkerOptions options_;
};

TEST_F(GradingWorker, AnHonestRecordIsTaken) {
  const Record record = graded_by_printing(full_record(7));
  EXPECT_EQ(record.score, 20);
  EXPECT_EQ(record.isolation, "limits");
}

TEST_F(GradingWorker, ARecordOfAnotherSeedGivesNoMark) {
  const Record record = graded_by_printing(full_record(8));
  EXPECT_TRUE(is_blamed(record)) << record.items.at(0).message;
  EXPECT_THAT(record.items.at(0).message, HasSubstr("seed"));
}

TEST_F(GradingWorker, TheIsolationThatARecordClaimsIsIgnored) {
  std::string text = full_record(7);
  const auto at = text.find("\"none\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 6, "\"bubblewrap\"");
  EXPECT_EQ(graded_by_printing(text).isolation, "limits");
}

TEST_F(GradingWorker, ASignalThatRepeatsIsTheKernelsFault) {
  const Record record = graded_by("kill -SEGV $$");
  EXPECT_TRUE(is_blamed(record)) << record.items.at(0).message;
  EXPECT_THAT(record.items.at(0).message, HasSubstr("signal 11"));
  EXPECT_EQ(exit_status({record}), 1);
}

TEST_F(GradingWorker, ASignalThatDoesNotRepeatIsForgiven) {
  folder_.write("answer", full_record(7));
  const std::string mark = (folder_.path() / "mark").string();
  const Record record =
      graded_by("if [ ! -e " + mark + " ]; then touch " + mark + "; kill -SEGV $$; fi; cat " +
                (folder_.path() / "answer").string());
  EXPECT_EQ(record.score, 20);
}

TEST_F(GradingWorker, NoRecordIsTheKernelsFaultUnlessThereIsNoneWithoutItEither) {
  options_.limits.output_bytes = 1 << 20;
  for (const char* script : {"exit 3", "exit 0", "echo '{'", "head -c 2000000 /dev/zero",
                             "echo no >&2; exit 200", "kill -SEGV $$"}) {
    SCOPED_TRACE(script);
    EXPECT_TRUE(is_blamed(graded_by(script)));
    const Record record = graded_always_by(script);
    EXPECT_EQ(record.items.at(0).status, Status::infra);
    EXPECT_EQ(exit_status({record}), 3);
  }
}

TEST_F(GradingWorker, ALimitOfTimeIsTheKernelsFaultIfItUsedTheTime) {
  options_.limits.wall_seconds = 0.5;
  const Record busy = graded_by("while :; do :; done");
  EXPECT_EQ(busy.items.at(0).status, Status::timeout);
  EXPECT_THAT(busy.items.at(0).message, HasSubstr("grading was stopped after"));
  const Record idle = graded_by("exec sleep 100");
  EXPECT_EQ(idle.items.at(0).status, Status::infra);
  EXPECT_THAT(idle.items.at(0).message, HasSubstr("of processor time"));
  EXPECT_EQ(idle.score, 0);
  EXPECT_EQ(exit_status({idle}), 3);
}

TEST_F(GradingWorker, WhatTheProcessPrintsIsInTheMessage) {
  EXPECT_EQ(graded_always_by("echo no room >&2; exit 3").items.at(0).message,
            "the process that grades ended with status 3 and no record: no room");
}

}  // namespace
}  // namespace tessera
