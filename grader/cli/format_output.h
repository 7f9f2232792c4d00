// What --format asks for: one format on standard output, and any number in files.
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

/// What is written beside the records.
struct Presentation {
  TextOptions text;
  Course course;
  bool progress = false;  // standard error is a terminal that shows how far a grading is
};

/// What closes the text of several labs: the sum, and what the course says; "" for one lab.
std::string closing_text(const std::vector<Record>& records, const Presentation& presentation);

class FormatOutput {
 public:
  /// Each word is FORMAT or FORMAT=FILE, as repeated on the command line; text where none is for
  /// standard output. Errors: no such format, two formats in one place, no name after '='.
  static Expected<FormatOutput> parse(const std::vector<std::string>& words);

  /// Every format's name, for --help.
  static std::string names();

  /// The name of the format on standard output.
  std::string printed() const;

  /// Whether text is printed when a lab is graded, in front of what the format itself prints at the
  /// end; else standard output is the format's alone ("junit", "gradescope").
  bool prints_text() const;

  /// Whether `file` is one of those that are written, however it is spelled.
  bool writes_to(const std::filesystem::path& file) const;

  /// Nothing where every file can be written; else the error, before any work is lost.
  std::optional<Error> check() const;

  /// Prints a part of the text report; none of it is a command to GitHub.
  void print_text(const std::string& text) const;

  /// Tells why nothing is graded, where the format on standard output has a place for it. Standard
  /// error is the caller's.
  void tell(const Error& error) const;

  /// Rewrites the files while grading goes on, each whole or not at all; what is still to be graded
  /// is in `records` as not_yet_graded() and on_progress have it. Leaves pipes and devices for
  /// finish(), and its errors too.
  void rewrite_files(const std::vector<Record>& records, const Presentation& presentation) const;

  /// Writes everything, and the summary of a step of GitHub's; `complete` where all was graded.
  /// Whether all is written; says on standard error which files are not.
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
  std::string token_;  // ends text in which GitHub looks for no commands; nobody can guess it
};

}  // namespace tessera
