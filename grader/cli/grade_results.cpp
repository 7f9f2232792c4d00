#include "grader/cli/grade_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "grader/cli/locations.h"

namespace tessera {

GradeResults::GradeResults(std::vector<Record> ungraded, FormatOutput output, JsonOutput json,
                           Presentation presentation)
    : output_(std::move(output)),
      json_(std::move(json)),
      presentation_(std::move(presentation)),
      records_(std::move(ungraded)),
      cases_(records_.size()) {
  output_.rewrite_files(records_, presentation_);
  show_progress();
}

void GradeResults::update(Record record) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(records_, record.lab, &Record::lab) - records_.begin();
  const auto index = static_cast<std::size_t>(at);
  records_.at(index) = std::move(record);
  ++cases_[index];
  output_.rewrite_files(records_, presentation_);
  show_progress();
}

void GradeResults::add(Record record) {
  const std::lock_guard lock(mutex_);
  hide_progress();
  if (prints_text()) {
    const bool in_a_line = record.untouched && presentation_.text.one_of_many;
    const bool first = graded_ == 0;
    const bool apart = !first && !(in_a_line && records_[graded_ - 1].untouched);
    output_.print_text((apart ? "\n" : "") + text_report(record, presentation_.text));
  }
  records_[graded_++] = std::move(record);
  output_.rewrite_files(records_, presentation_);
  show_progress();
}

ExitStatus GradeResults::finish() {
  const std::lock_guard lock(mutex_);
  if (!write_all()) return kInfrastructure;
  return static_cast<ExitStatus>(exit_status(records_));
}

void GradeResults::interrupt() {
  mutex_.lock();
  hide_progress();
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

/// Replaces the line by "grading 03-tiled, 3 of 8 cases".
void GradeResults::show_progress() const {
  if (!presentation_.progress || graded_ == records_.size()) return;
  const Record& record = records_[graded_];
  const auto all = static_cast<std::size_t>(std::ranges::count_if(
      record.items, [](const Item& item) { return item.id.starts_with("correctness/"); }));
  std::cerr << fmt::format("\r\33[Kgrading {}, {} of {} cases", record.lab,
                           std::min(cases_[graded_], all), all)
            << std::flush;
}

void GradeResults::hide_progress() const {
  if (presentation_.progress) std::cerr << "\r\33[K" << std::flush;
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
