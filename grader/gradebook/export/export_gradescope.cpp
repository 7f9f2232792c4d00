// A results.json a student and lab.
#include <fmt/format.h>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_notes.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/output_folder.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

bool has_result(const Mark& mark) {
  return mark.state == MarkState::graded || mark.state == MarkState::infra ||
         mark.state == MarkState::ungradable;
}

Expected<std::string> results_json(const ExportContext& context, const Mark& mark) {
  const Expected<std::optional<Record>> record = record_of(context.book, mark);
  if (!record) return record.error();
  std::vector<Record> records;
  if (*record) records.push_back(**record);
  return gradescope_report(records, {.score = exported_score(mark),
                                     .note = mark_text(mark, context.course),
                                     .hidden_items = context.course.gradescope.hidden_items});
}

}  // namespace

Expected<Exported> export_gradescope(const ExportContext& context) {
  const Expected<OutputFolder> folder = OutputFolder::open(context.request.into);
  if (!folder) return folder.error();
  const auto names = folder_names(context.book.students());
  std::size_t without = 0;
  for (const Mark& mark : context.marks) {
    if (!has_result(mark)) {
      ++without;
      continue;
    }
    const Expected<std::string> results = results_json(context, mark);
    if (!results) return results.error();
    const auto file = std::filesystem::path(names.at(mark.student.id)) / mark.lab / "results.json";
    if (const auto error = folder->write(file, *results)) return *error;
  }
  return Exported{"", without_note(without, context.marks.size())};
}

}  // namespace tessera
