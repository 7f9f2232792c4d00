#include "grader/cli/batch_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tessera {
namespace {

using testing::HasSubstr;
using Clock = BatchProgress::Clock;
using std::chrono::seconds;

/// A job that made `count` results; its record has one item of `status`.
class Ended {
 public:
  Ended(std::size_t count, Status status) : results_(count) {
    record_.items.resize(1);
    record_.items[0].status = status;
  }
  JobEnd end() const { return {job_, results_, record_}; }

 private:
  Job job_;
  std::vector<BookResult> results_;
  Record record_;
};

TEST(BatchProgress, ShowsRateAndTimeLeft) {
  std::ostringstream out;
  const auto start = Clock::now();
  BatchProgress progress(out, 100, false, start);
  progress.add(Ended(20, Status::pass).end(), start + seconds(10));
  EXPECT_EQ(out.str(), " 20 %  20 of 100  2.0 a second  40 s left\n");
  EXPECT_EQ(progress.shared(), 19u);
}

TEST(BatchProgress, CountsWhatWentWrong) {
  std::ostringstream out;
  const auto start = Clock::now();
  BatchProgress progress(out, 10, false, start);
  progress.add(Ended(2, Status::timeout).end(), start + seconds(1));
  progress.add(Ended(1, Status::infra).end(), start + seconds(1));
  EXPECT_THAT(progress.line(start + seconds(1)),
              HasSubstr("2 out of time, 1 not graded by our fault"));
}

TEST(BatchProgress, InALogFileIsALineEveryTenSeconds) {
  std::ostringstream out;
  const auto start = Clock::now();
  BatchProgress progress(out, 100, false, start);
  for (int second = 1; second <= 25; ++second)
    progress.add(Ended(1, Status::pass).end(), start + seconds(second));
  const std::string text = out.str();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST(BatchProgress, OnATerminalIsOneLine) {
  std::ostringstream out;
  const auto start = Clock::now();
  BatchProgress progress(out, 2, true, start);
  progress.add(Ended(1, Status::pass).end(), start + seconds(1));
  progress.add(Ended(1, Status::pass).end(), start + seconds(2));
  progress.finish();
  const std::string text = out.str();
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_EQ(std::ranges::count(text, '\r'), 2);
}

}  // namespace
}  // namespace tessera
