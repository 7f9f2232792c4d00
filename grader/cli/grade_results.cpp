#include "grader/cli/grade_results.h"

#include <iostream>
#include <utility>

#include "grader/cli/locations.h"

namespace tessera {

GradeResults::GradeResults(std::vector<Record> ungraded, FormatOutput output, JsonOutput json,
                           Presentation presentation)
    : output_(std::move(output)),
      json_(std::move(json)),
      presentation_(std::move(presentation)),
      records_(std::move(ungraded)) {
  output_.rewrite_files(records_, presentation_);
}

void GradeResults::update(Record record) {
  const std::lock_guard lock(mutex_);
  records_[graded_] = std::move(record);
  output_.rewrite_files(records_, presentation_);
}

void GradeResults::add(Record record) {
  const std::lock_guard lock(mutex_);
  if (prints_text())
    output_.print_text((graded_ == 0 ? "" : "\n") + text_report(record, presentation_.text));
  records_[graded_++] = std::move(record);
  output_.rewrite_files(records_, presentation_);
}

ExitStatus GradeResults::finish() {
  const std::lock_guard lock(mutex_);
  if (!write_all()) return kInfrastructure;
  return static_cast<ExitStatus>(exit_status(records_));
}

void GradeResults::interrupt() {
  mutex_.lock();
  std::cerr << "tessera: interrupted; " << graded_ << " of " << records_.size() << " labs graded\n";
  write_all();
}

std::vector<Record> GradeResults::take_records() {
  const std::lock_guard lock(mutex_);
  return std::move(records_);
}

bool GradeResults::prints_text() const {
  return output_.prints_text() && !json_.takes_standard_output();
}

bool GradeResults::write_all() const {
  const auto end = records_.begin() + static_cast<std::ptrdiff_t>(graded_);
  const std::vector<Record> graded(records_.begin(), end);
  if (prints_text()) output_.print_text(closing_text(graded, presentation_));
  const bool formats = output_.finish(records_, graded_ == records_.size(), presentation_);
  const bool json = json_.write(json_report(graded));
  if (!std::cout) print_error({"standard output", 0, 0, "cannot be written; is its disk full?"});
  return formats && json;
}

}  // namespace tessera
