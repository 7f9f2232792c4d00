// Writes what --format asks for: one format on standard output, and any number in files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/points/record.h"
#include "grader/lab/course.h"
#include "grader/report/report.h"

namespace tessera {

struct OutputFormat;  // a name, and how records are written in it

/// What is written in addition to the records.
struct Presentation {
  TextOptions text;
  Course course;
  bool progress = false;  // standard error is a terminal that shows how far grading is
};

/// The end of the text of several labs: the sum, and what the course says; "" for one lab.
std::string closing_text(const std::vector<Record>& records, const Presentation& presentation);

class FormatOutput {
 public:
  /// Parses the values of --format, each FORMAT or FORMAT=FILE. If none of them is for standard
  /// output, "text" is. Errors: no such format, two formats for one place, no name after '='.
  static Expected<FormatOutput> parse(const std::vector<std::string>& words);

  /// Every format's name, for --help.
  static std::string names();

  /// The name of the format on standard output.
  std::string printed() const;

  /// Whether text is printed for each graded lab, before what the format itself prints at the end;
  /// else standard output belongs to the format alone ("junit", "gradescope").
  bool prints_text() const;

  /// Whether `file` is one of the files to write, however its path is spelled.
  bool writes_to(const std::filesystem::path& file) const;

  /// An error if a file cannot be written, before any work is lost.
  std::optional<Error> check() const;

  /// Prints a part of the text report. GitHub executes no command that stands in it.
  void print_text(const std::string& text) const;

  /// Prints why nothing is graded, if the format on standard output has a place for it. The caller
  /// prints it on standard error.
  void print_failure(const Error& error) const;

  /// Rewrites the files while grading goes on, each whole or not at all. `records` has every lab: a
  /// lab that is not graded yet as not_yet_graded() returns it, the lab that is being graded as
  /// on_progress got it last. Does not write to pipes and devices, and reports no errors: finish()
  /// does.
  void rewrite_files(const std::vector<Record>& records, const Presentation& presentation) const;

  /// Writes everything, and the summary of a GitHub step; `complete`: all was graded. Returns
  /// whether all was written; prints on standard error which files were not.
  bool finish(const std::vector<Record>& records, bool complete,
              const Presentation& presentation) const;

 private:
  struct Destination {
    const OutputFormat* format;
    std::string file;
  };

  bool asks_for(const std::string& name) const;

  const OutputFormat* printed_ = nullptr;
  std::vector<Destination> files_;
  std::string token_;  // unguessable; ends text in which GitHub looks for no commands
};

}  // namespace tessera
