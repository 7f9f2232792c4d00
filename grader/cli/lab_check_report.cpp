#include "grader/cli/lab_check_report.h"

#include <fmt/format.h>

#include <iostream>
#include <utility>

#include "common/numbers.h"
#include "grader/authoring/proof/proof_report.h"

namespace tessera {

std::string check_progress_text(const std::string& lab, const CheckProgress& progress,
                                double seconds) {
  std::string text =
      fmt::format("{}: {} {} of {}", lab, progress.part, progress.done, progress.total);
  if (progress.kept > 0) text += fmt::format(", {} of them from earlier runs", progress.kept);
  // Results of earlier runs take no time.
  const std::size_t tried = progress.done - progress.kept;
  constexpr std::size_t kFew = 2;
  constexpr double kShort = 20;
  if (tried < kFew) return text;
  const double left =
      seconds / static_cast<double>(tried) * static_cast<double>(progress.total - progress.done);
  return left < kShort ? text : text + fmt::format(", about {} left", duration_text(left));
}

void LabCheckReport::set_unfinished(const LabProof& so_far) {
  const std::lock_guard lock(mutex_);
  const CheckProgress& progress = *so_far.unfinished;
  const std::string part = fmt::format("{} {}", so_far.lab, progress.part);
  if (std::exchange(part_, part) != part) part_time_ = Stopwatch();
  if (!line_) line_.emplace();
  line_->show(check_progress_text(so_far.lab, progress, part_time_.seconds()));
  unfinished_ = so_far;
}

void LabCheckReport::add(LabProof proof) {
  const std::lock_guard lock(mutex_);
  unfinished_.reset();
  print(proof);
  proofs_.push_back(std::move(proof));
}

void LabCheckReport::end_progress() {
  const std::lock_guard lock(mutex_);
  line_.reset();
}

void LabCheckReport::interrupt() {
  const std::lock_guard lock(mutex_);
  line_.reset();
  std::cerr << "tessera: interrupted\n";
  if (unfinished_) {
    print(*unfinished_);
    proofs_.push_back(*unfinished_);
  }
  static_cast<void>(json_.write(proof_json(proofs_)));
}

void LabCheckReport::print(const LabProof& proof) const {
  if (!json_.takes_standard_output()) std::cout << proof_text(proof) << "\n" << std::flush;
}

}  // namespace tessera
