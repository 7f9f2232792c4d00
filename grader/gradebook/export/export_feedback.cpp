// A text for every student, named as the system expects it from which the submissions came.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_notes.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/output_folder.h"
#include "grader/report/report.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr TextOptions kPlain = {.color = false, .width = 100, .explain = false};

Expected<std::string> feedback(const ExportContext& context, const Mark& mark) {
  const Expected<std::optional<Record>> record = record_of(context.book, mark);
  if (!record) return record.error();
  std::string text;
  for (const std::string& line : mark_lines(mark, context.course))
    text += wrapped(printable(line), "", kPlain.width);
  if (*record) return text + "\n" + text_report(**record, kPlain);
  return fmt::format("{}  {}\n", mark.lab, printable(title_of(context.book, mark.lab))) + text;
}

/// Texts by place. A group gets one text; two labs in one file get both.
class Texts {
 public:
  void add(const fs::path& place, const std::string& text) {
    std::vector<std::string>& here = texts_[place];
    if (std::ranges::count(here, text) == 0) here.push_back(text);
  }

  std::optional<Error> write(const OutputFolder& folder) const {
    for (const auto& [place, parts] : texts_) {
      std::string content;
      for (const std::string& part : parts) content += (content.empty() ? "" : "\n") + part;
      if (auto error = folder.write(place, content)) return error;
    }
    return std::nullopt;
  }

 private:
  std::map<fs::path, std::vector<std::string>> texts_;
};

}  // namespace

Expected<Exported> export_feedback(const ExportContext& context) {
  const Expected<OutputFolder> folder = OutputFolder::open(context.request.into);
  if (!folder) return folder.error();
  const auto names = folder_names(context.book.students());
  Texts texts;
  std::size_t without = 0;
  for (const Mark& mark : context.marks) {
    if (!mark.has_score() && mark.state != MarkState::infra) {
      ++without;
      continue;
    }
    const Expected<std::string> text = feedback(context, mark);
    if (!text) return text.error();
    texts.add(feedback_place(mark, names.at(mark.student.id), ".txt"), *text);
  }
  if (const auto error = texts.write(*folder)) return *error;
  return Exported{"", without_note(without, context.marks.size())};
}

}  // namespace tessera
