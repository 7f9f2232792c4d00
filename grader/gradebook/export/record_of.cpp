// Reads the record of a mark from the book, for writing reports.
#include <fmt/format.h>

#include <algorithm>

#include "grader/compile/source.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/report/report.h"

namespace tessera {

std::optional<BookResult> result_of(const Book& book, const Mark& mark) {
  if (!mark.attempt || mark.attempt->sha256.empty()) return std::nullopt;
  return book.result(mark.lab, mark.attempt->sha256);
}

Expected<std::optional<Record>> record_of(const Book& book, const Mark& mark) {
  const std::optional<BookResult> result = result_of(book, mark);
  if (!result) return std::optional<Record>();
  Expected<Record> record = read_record(result->record);
  if (!record) {
    return Error{.message =
                     fmt::format("the gradebook's record of {} for {} cannot be read: {}; grade it "
                                 "again with `tessera gradebook regrade`",
                                 mark.attempt->sha256, mark.lab, record.error().message)};
  }
  record->path = fmt::format("labs/{}/kernel.cu", mark.lab);
  if (const auto source = book.source(mark.attempt->sha256))
    record->source = Source(*source).lines();
  return std::optional(std::move(*record));
}

std::string title_of(const Book& book, const std::string& lab) {
  const std::vector<BookAssignment> all = book.assignments();
  const auto found = std::ranges::find(all, lab, &BookAssignment::lab);
  return found == all.end() || found->title.empty() ? lab : found->title;
}

}  // namespace tessera
