// What export_marks() hands to the exporter of one format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/export/export.h"
#include "grader/judge/record.h"

namespace tessera {

struct ExportContext {
  const Book& book;
  const Course& course;
  const std::vector<Mark>& marks;  // of the labs that were asked for
  const ExportRequest& request;
};

Expected<Exported> export_csv(const ExportContext& context);
Expected<Exported> export_json(const ExportContext& context);
Expected<Exported> export_canvas(const ExportContext& context);
Expected<Exported> export_moodle(const ExportContext& context);
Expected<Exported> export_gradescope(const ExportContext& context);
Expected<Exported> export_feedback(const ExportContext& context);
Expected<Exported> export_similarity(const ExportContext& context);  // jplag, dolos, compare50

/// The result that the mark is made of.
std::optional<BookResult> result_of(const Book& book, const Mark& mark);

/// Its record, with the source and the path as the student knows it; nothing where there is none.
/// The Error: the book's record cannot be read.
Expected<std::optional<Record>> record_of(const Book& book, const Mark& mark);

/// The assignment's title, or the lab's id where it has none.
std::string title_of(const Book& book, const std::string& lab);

}  // namespace tessera
