#include "grader/cli/batch_progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "common/numbers.h"

namespace tessera {
namespace {

constexpr std::chrono::seconds kBetweenBatchLines{10};
constexpr std::chrono::milliseconds kBetweenBatchRewrites{100};

double seconds_between(BatchProgress::Clock::time_point start,
                       BatchProgress::Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

bool any(const Record& record, Status status) {
  return std::ranges::count(record.items, status, &Item::status) > 0;
}

bool does_not_compile(const Record& record) {
  return std::ranges::any_of(record.items, [](const Item& item) {
    return std::ranges::count(item.findings, FindingKind::does_not_compile, &Finding::kind) > 0;
  });
}

}  // namespace

BatchProgress::BatchProgress(std::ostream& out, std::size_t results, bool terminal,
                             Clock::time_point start)
    : out_(out), results_(results), terminal_(terminal), start_(start), printed_(start) {
}

void BatchProgress::add(const JobEnd& end, Clock::time_point now) {
  const std::size_t count = end.results.size();
  done_ += count;
  shared_ += end.job.graded.empty() ? count - 1 : count;
  if (does_not_compile(end.record)) not_compiled_ += count;
  if (any(end.record, Status::timeout)) timeouts_ += count;
  if (any(end.record, Status::infra)) infra_ += count;
  const bool last = done_ == results_;
  if (!last &&
      now - printed_ < (terminal_ ? Clock::duration(kBetweenBatchRewrites) : kBetweenBatchLines))
    return;
  printed_ = now;
  if (terminal_) {
    out_ << "\r" << line(now) << "\x1b[K" << std::flush;
  } else {
    out_ << line(now) << "\n" << std::flush;
  }
}

void BatchProgress::finish() {
  if (terminal_ && done_ > 0) out_ << "\n" << std::flush;
}

std::string BatchProgress::line(Clock::time_point now) const {
  const double seconds = seconds_between(start_, now);
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string text = fmt::format("{:3} %  {} of {}  {:.1f} a second", 100 * done_ / results_,
                                 grouped(done_), grouped(results_), rate);
  if (rate > 0 && done_ < results_)
    text += fmt::format("  {} left", duration_text(static_cast<double>(results_ - done_) / rate));
  std::vector<std::string> failures;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) failures.push_back(fmt::format("{} {}", grouped(count), what));
  };
  add(not_compiled_, "do not compile");
  add(timeouts_, "out of time");
  add(infra_, "not graded by our fault");
  return failures.empty() ? text : fmt::format("{}  {}", text, fmt::join(failures, ", "));
}

}  // namespace tessera
