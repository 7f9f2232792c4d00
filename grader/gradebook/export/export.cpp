#include "grader/gradebook/export/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "common/text.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_notes.h"
#include "grader/gradebook/export/mark_text.h"

namespace tessera {
namespace {

struct FormatRow {
  ExportFormat format;
  std::string_view word;
  bool folder;
  bool marks;  // whether the format holds marks
  Expected<Exported> (*write)(const ExportContext&);
};

constexpr std::array kFormats = {
    FormatRow{ExportFormat::csv, "csv", false, true, export_csv},
    FormatRow{ExportFormat::canvas, "canvas", false, true, export_canvas},
    FormatRow{ExportFormat::moodle, "moodle", false, true, export_moodle},
    FormatRow{ExportFormat::json, "json", false, true, export_json},
    FormatRow{ExportFormat::gradescope, "gradescope", true, true, export_gradescope},
    FormatRow{ExportFormat::feedback, "feedback", true, true, export_feedback},
    FormatRow{ExportFormat::html, "html", true, true, export_html},
    FormatRow{ExportFormat::jplag, "jplag", true, false, export_similarity},
    FormatRow{ExportFormat::dolos, "dolos", true, false, export_similarity},
    FormatRow{ExportFormat::compare50, "compare50", true, false, export_similarity},
};

const FormatRow& row_of(ExportFormat format) {
  return *std::ranges::find(kFormats, format, &FormatRow::format);
}

Expected<std::vector<Mark>> chosen_marks(const std::vector<Mark>& marks,
                                         const std::optional<std::string>& lab) {
  if (!lab) return marks;
  std::vector<Mark> chosen;
  std::ranges::copy_if(marks, std::back_inserter(chosen),
                       [&](const Mark& mark) { return mark.lab == *lab; });
  if (!chosen.empty()) return chosen;
  return Error{.message = fmt::format("the gradebook has no marks for lab {}{}", *lab,
                                      did_you_mean(*lab, labs_of(marks)))};
}

std::optional<Error> check_request(const FormatRow& row, const ExportRequest& request) {
  const auto refuse = [&](std::string_view why) {
    return Error{.message = fmt::format("--format {} {}", row.word, why)};
  };
  if (row.folder && request.into.empty()) {
    return refuse("writes a folder: name a new one with --into");
  }
  if (row.format == ExportFormat::moodle && request.template_file.empty()) {
    return refuse(
        "fills a worksheet: download it from the assignment (View all submissions, "
        "Download grading worksheet) and give it with --template");
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(ExportFormat format) {
  return row_of(format).word;
}

std::optional<ExportFormat> export_format(std::string_view word) {
  const auto found = std::ranges::find(kFormats, word, &FormatRow::word);
  if (found == kFormats.end()) return std::nullopt;
  return found->format;
}

const std::vector<ExportFormat>& all_export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> all;
    for (const FormatRow& row : kFormats) all.push_back(row.format);
    return all;
  }();
  return formats;
}

bool writes_folder(ExportFormat format) {
  return row_of(format).folder;
}

Expected<Exported> export_marks(const Book& book, const Course& course,
                                const std::vector<Mark>& marks, const ExportRequest& request) {
  const FormatRow& row = row_of(request.format);
  if (const auto error = check_request(row, request)) return *error;
  Expected<std::vector<Mark>> chosen = chosen_marks(marks, request.lab);
  if (!chosen) return chosen.error();
  if (request.scale_deferred) std::ranges::transform(*chosen, chosen->begin(), scaled_to_measured);
  Expected<Exported> exported = row.write({book, course, *chosen, request});
  if (exported && row.marks)
    std::ranges::move(mark_notes(*chosen), std::back_inserter(exported->notes));
  return exported;
}

}  // namespace tessera
