// What export_marks() hands to the exporter of one format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/export/export.h"
#include "grader/judge/points/record.h"

namespace tessera {

struct ExportContext {
  const Book& book;
  const Course& course;
  const std::vector<Mark>& marks;  // of the requested labs
  const ExportRequest& request;
};

Expected<Exported> export_csv(const ExportContext& context);
Expected<Exported> export_json(const ExportContext& context);
Expected<Exported> export_canvas(const ExportContext& context);
Expected<Exported> export_moodle(const ExportContext& context);
Expected<Exported> export_gradescope(const ExportContext& context);
Expected<Exported> export_feedback(const ExportContext& context);
Expected<Exported> export_html(const ExportContext& context);
Expected<Exported> export_similarity(const ExportContext& context);  // jplag, dolos, compare50

/// The place where the system that the submission came from looks for the feedback: Moodle in the
/// folder of its download, Canvas under the name of the file; elsewhere `student`, a folder, and in
/// it the lab. For Canvas, which goes by the numbers in the name, a page gets the extension
/// ".html".
std::filesystem::path feedback_place(const Mark& mark, const std::string& student,
                                     const std::string& extension);

/// The result that the mark comes from.
std::optional<BookResult> result_of(const Book& book, const Mark& mark);

/// The record of that result, with the source and the path as the student knows it; nothing if
/// there is none. Error: the book's record cannot be read.
Expected<std::optional<Record>> record_of(const Book& book, const Mark& mark);

/// The assignment's title, or the lab's id if it has none.
std::string title_of(const Book& book, const std::string& lab);

}  // namespace tessera
