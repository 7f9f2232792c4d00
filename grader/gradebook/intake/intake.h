// Downloads of course systems -> submissions: who handed in which files, when.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/intake/download.h"

namespace tessera {

/// The systems whose downloads are known by their layout on disk.
enum class SourceFormat { plain, gradescope, canvas, moodle, autolab, nbgrader, github_classroom };

/// "plain", "gradescope", ..., "github-classroom"; for --format.
std::string_view to_string(SourceFormat format);
std::optional<SourceFormat> source_format(std::string_view word);
const std::vector<SourceFormat>& all_source_formats();

/// A person, as far as a source or the roster knows them; "" is unknown.
struct Identity {
  std::string name = "";  // "Doe, Jane" or "Jane Doe", as the source writes it
  std::string email = "";
  std::string login = "";      // user name; the folder's name of a plain submission
  std::string sis_id = "";     // the school's: SIS User ID, Gradescope's SID, Moodle's ID number
  std::string canvas_id = "";  // Canvas' own user number, or "anon_..."
  std::string moodle_id = "";  // number of the Moodle participant, of one assignment
  std::string github = "";
  std::string section = "";
  std::string group = "";  // people with one group share what any of them hands in
};

struct SubmittedFile {
  std::string path = "";  // inside the submission, "/" between folders, as the student named it
  std::uint64_t bytes = 0;
  std::string content = "";  // "" if there is a problem
  std::string problem =
      "";  // why it cannot be read: "a link", "200 MB, not read: the limit is 1 MiB"
};

/// What one person, or one group, handed in at one time.
struct Submission {
  std::vector<Identity> people;    // at least one
  std::string origin;              // path in the download: "doejane_1234_98_kernel.cu"
  std::string feedback_name;       // the system's name for the place of feedback, or ""
  std::string assignment;          // if the source names one: nbgrader's folder; else ""
  std::string submitted_at;        // "2026-10-01T21:59:03Z", or "" if the source does not say
  bool late = false;               // as the source says
  bool is_whole_download = false;  // which names no student: `people` has the download's own name
  int attempt = 0;                 // 1 is the first; 0 if the source does not count
  /// Names of `people` that others in the download have too, so that they identify no one, and the
  /// origins of all submissions under that name.
  std::map<std::string, std::vector<std::string>> shared_names;
  /// Names of `people` that others in the download have in other punctuation or word order.
  std::set<std::string> similar_names;
  /// Sorted by path, in which numbers count as numbers. Files of an archive stand below its name
  /// ("work.zip/kernel.cu"), unless it is the submission itself; system files are left out.
  std::vector<SubmittedFile> files;
  std::string problem;  // why nothing of it can be read: "a.zip: is broken: ..."
  /// Why this machine could not read it, through no fault of the students: no room in TMPDIR. Then
  /// there are no files, and the same download may be read later.
  std::string failure;
};

/// The system that made `download`, by its layout alone; plain if it is none of the others.
SourceFormat recognise(const Download& download);

/// Calls `visit` for every submission of `download` (perhaps with one more folder around all), by
/// rising origin in which numbers count as numbers ("_2_" before "_10_"); the files of only one are
/// held in memory at a time. If the entries of a plain download are named like work for `labs`
/// (01-naive/kernel.cu, kernel.cu), it is the work of one student, named after the download. An odd
/// submission is visited with its `problem`, or with the `failure` of this machine, and the others
/// are read; the Error is for what is wrong with the download as a whole. Scratch files go into the
/// system's folder for temporary files and are removed.
std::optional<Error> read_submissions(const Download& download, SourceFormat format,
                                      const std::vector<std::string>& labs,
                                      const std::function<void(Submission)>& visit);

}  // namespace tessera
