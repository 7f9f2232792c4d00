// Writes marks as the files that course systems read, and as tables for the terminal.
//
// A mark's cell is a number if it has one: graded, ungradable (0), or points given by hand to a
// student who handed in nothing. Else it is blank: missing, waiting, infra. Text that students
// choose is guarded against formulas, and invisible characters in it (control characters, direction
// overrides) become '?', or an escape in JSON; a template's own cells stay.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/book.h"
#include "grader/gradebook/marks.h"

namespace tessera {

enum class ExportFormat {
  csv,         // one row a student and lab
  canvas,      // Canvas' gradebook CSV, all labs
  moodle,      // the offline grading worksheet of one assignment
  json,        // all marks with their records
  gradescope,  // a folder: <student>/<lab>/results.json
  feedback,    // a folder: a text for every student, named as the source system expects it
  html,        // a folder: <student>.html with all labs; of one lab, named as feedback is
  jplag,       // folders for programs that look for copies: <lab>/..., README.txt
  dolos,
  compare50
};

std::string_view to_string(ExportFormat format);
std::optional<ExportFormat> export_format(std::string_view word);
const std::vector<ExportFormat>& all_export_formats();

/// Whether the format is a folder and needs ExportRequest::into.
bool writes_folder(ExportFormat format);

struct ExportRequest {
  ExportFormat format = ExportFormat::csv;
  std::optional<std::string> lab;       // only this lab
  std::filesystem::path into;           // a new or empty folder, for formats that write one
  std::filesystem::path template_file;  // the teacher's download: moodle needs it, canvas takes it
  std::filesystem::path labs;           // for skeletons
  bool scale_deferred = false;          // marks as scaled_to_measured() gives them
};

struct Exported {
  std::string text;                // for standard output; "" if the format is a folder
  std::vector<std::string> notes;  // what the TA should know: who is not in the template, ...
};

/// Errors: a lab that the book does not have, no folder or template for a format that needs one, a
/// template that is not the system's (with line and column), a folder that is not empty or is a
/// link, a lab without a skeleton, a disk without room.
///
/// canvas with a template: its rows, columns and their order stay; the column of a lab is the
/// assignment `Title (number)` whose title names the lab alone: its id ("03-tiled", "03 Tiled"),
/// its title, its number ("3", "Lab 03", "lab3"), or these together; else the only one that holds
/// one of them among other words; else the only one that starts with the number or holds the id's
/// words ("GPU: tiled") and names no other number; else (with `lab`) the only assignment in the
/// table. Letter case, punctuation and leading zeros do not count. The Error lists the columns. A
/// row is the student with its ID, SIS User ID, SIS Login ID, or name, in this order. "EX", and the
/// cells of students without a mark, stay as they are. Without a template: the importer's heading,
/// one column a lab.
///
/// moodle: needs `lab` if the marks have several. A row is the student whose number for this
/// assignment is in Identifier, else with its Email address, ID number or full name. Grade and
/// Feedback comments are filled if there is a mark; everything else stays byte by byte.
Expected<Exported> export_marks(const Book& book, const Course& course,
                                const std::vector<Mark>& marks, const ExportRequest& request);

/// For `gradebook show`. All students and labs in a table: points, markers with a legend below, and
/// the total in percent by the weights. Missing counts 0; infra, waiting and deferred points count
/// neither for nor against.
std::string show_class(const std::vector<Mark>& marks, const Course& course, int width);

/// Every lab of one student: how the mark came about, which attempt counts, who shared its run, how
/// it was isolated, and every item.
std::string show_student(const Book& book, const std::vector<Mark>& marks, RowId student,
                         int width);

/// One lab: distribution of the marks, share that won each item, most frequent findings, who is
/// missing.
std::string show_lab(const Book& book, const std::vector<Mark>& marks, const std::string& lab,
                     int width);

}  // namespace tessera
