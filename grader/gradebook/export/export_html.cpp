// A page for every student with all labs, or with one lab, in the place where the system expects
// it.
#include <fmt/format.h>

#include <map>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_notes.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/output_folder.h"
#include "grader/report/html/page.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Expected<PageLab> page_lab(const ExportContext& context, const Mark& mark) {
  Expected<std::optional<Record>> record = record_of(context.book, mark);
  if (!record) return record.error();
  PageLab lab{mark.lab, title_of(context.book, mark.lab), "", mark_lines(mark, context.course),
              std::move(*record)};
  if (lab.title == lab.lab) lab.title.clear();
  if (const auto score = exported_score(mark))
    lab.mark = fmt::format("{} of {}", points_cell(score), points_cell(mark.max_points));
  return lab;
}

bool has_feedback(const Mark& mark) {
  return mark.has_score() || mark.state == MarkState::infra;
}

}  // namespace

Expected<Exported> export_html(const ExportContext& context) {
  const Expected<OutputFolder> folder = OutputFolder::open(context.request.into);
  if (!folder) return folder.error();
  const auto names = folder_names(context.book.students());
  std::map<fs::path, std::string> pages;
  std::size_t without = 0;
  for (const auto& [student, marks] : by_student(context.marks)) {
    Page page{display_name(student.identity), {}};
    const Mark* shown = nullptr;  // the last mark with something to show
    for (const Mark* mark : marks) {
      if (has_feedback(*mark)) {
        shown = mark;
      } else {
        ++without;
      }
      Expected<PageLab> lab = page_lab(context, *mark);
      if (!lab) return lab.error();
      page.labs.push_back(std::move(*lab));
    }
    if (shown == nullptr) continue;
    const std::string& name = names.at(student.id);
    const fs::path place =
        context.request.lab ? feedback_place(*shown, name, ".html") : fs::path(name + ".html");
    const auto [at, is_new] = pages.emplace(place, "");
    if (!is_new) page.student.clear();  // a group's page names no student
    at->second = html_page(page);
  }
  for (const auto& [place, content] : pages) {
    if (const auto error = folder->write(place, content)) return *error;
  }
  return Exported{"", without_note(without, context.marks.size())};
}

}  // namespace tessera
