// The gradebook: one SQLite file (WAL mode) with everything a mark is made of. What has been
// written survives a killed process and a power cut; any number of processes may use one file, on
// a local disk. While a process uses it, and after one was killed, files with the endings -wal and
// -shm stand beside it and belong to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/intake/intake.h"

namespace tessera {

using RowId = std::int64_t;

struct BookAssignment {
  std::string lab = "";  // "03-tiled"
  std::string title = "";
  double max_points = 0;
  std::string lab_hash = "";  // of all that decides a mark; results of another one are stale
};

struct BookStudent {
  RowId id = 0;
  Identity identity = {};
  bool on_roster = false;  // some roster had them
};

/// One kernel that was handed in for one lab, or the reason why there is none.
struct BookAttempt {
  RowId id = 0;
  std::string lab = "";  // "" where it could not be told
  std::vector<RowId> students = {};
  std::string sha256 = "";         // of the kernel's bytes; "" where there is none
  std::string problem = "";        // why it cannot be graded; "" where it can
  std::string origin = "";         // path in the download, and inside the submission
  std::string feedback_name = "";  // as Submission::feedback_name
  std::string submitted_at = "";   // "2026-10-01T21:59:03Z" or ""
  bool late = false;               // as the source said
  int number = 0;                  // as the source counted; 0 where it did not
  std::int64_t download = 0;       // the last one that held it; the book counts downloads, from 1
  std::int64_t seen =
      0;  // when it was added last, in the order of all attempts; the book's to give
};

/// What one grading was done with.
struct BookRun {
  RowId id = 0;
  std::string started_at = "";
  std::string version = "";    // of tessera
  std::string machine = "";    // host name, system, cores
  std::string isolation = "";  // tier
  std::string command = "";    // as typed
};

/// A record of one source under one version of a lab.
struct BookResult {
  RowId id = 0;
  std::string lab = "";
  std::string sha256 = "";
  std::string lab_hash = "";
  RowId run = 0;
  std::string record = "";  // JSON, "tessera.result/2"
  double score = 0;
  double max_score = 0;
  double deferred = 0;
  double review = 0;             // points that a GPU or a person has to judge
  bool awaits_gpu = false;       // of these some are cases', and no GPU has run them
  bool infra = false;            // an item ended `infra`: graded again by the next batch
  std::string shared_from = "";  // SHA-256 of the source that was run in its place, or ""
  std::string ended_at = "";
};

/// What the grader gave a kernel.
struct AdjustedGrade {
  std::string sha256 = "";
  double score = 0;
  double review = 0;
};

/// A change of a mark by hand, kept beside it for ever. It is about the work that was there when it
/// was made, unless it is a bonus.
struct BookAdjustment {
  RowId id = 0;
  RowId student = 0;
  std::string lab = "";
  double points = 0;  // added
  std::string reason = "";
  std::string author = "";
  std::string at = "";
  /// By how many days the work counts as late, in place of what is known; 0: not late.
  std::optional<double> late_days = {};
  bool bonus = false;  // the points are the lab's, whatever is graded, and may exceed its maximum
  RowId last_attempt = 0;  // the book's last attempt when it was made; the book's to give
  /// Accepted results, none of them `infra`, of the student's kernels for the lab when it was made;
  /// the book's to give.
  std::vector<AdjustedGrade> grades = {};
};

/// Which results are no reason to leave their source alone.
struct GradeAgain {
  bool stale = false;     // of another lab_hash than the assignment's
  bool deferred = false;  // with points that could not be measured
  bool awaits_gpu = false;
};

/// A source that has no result under the present version of its lab.
struct Ungraded {
  std::string lab = "";
  std::string sha256 = "";
};

/// Whether a name may decide who somebody is, where nothing else that is known does.
enum class NameMatch { allowed, never };

class BookConnection;

/// All of it throws std::runtime_error with the file's name where SQLite fails: no room on the
/// disk, a damaged file, another process that holds the file for more than a minute, writing with
/// Mode::read. What a call was to write is then not written, not even in part. One thread uses a
/// Book at a time, and a process that was forked off opens its own.
class Book {
 public:
  enum class Mode {
    create,  // reads and writes; makes the file where there is none, or an empty one
    write,   // reads and writes
    read
  };

  /// Errors: no such file (write, read), not a gradebook, made by a newer version, a file or folder
  /// that cannot be written (the folder must be so for reading too), a disk without room, a network
  /// drive that cannot hold one.
  static Expected<Book> open(const std::filesystem::path& file, Mode mode);

  Book(Book&&) noexcept;
  Book& operator=(Book&&) noexcept;
  ~Book();

  /// What the seeds of gradings are derived from (grading_seed.h): `fresh` (random, secret) when
  /// first asked for, and kept.
  std::string seed_key(const std::string& fresh);

  /// The key that turns this book's students into pseudonyms: `fresh` (random, secret) when first
  /// asked for, and kept.
  std::string pseudonym_key(const std::string& fresh);

  /// Adds the lab, or changes it.
  void set_assignment(const BookAssignment& assignment);
  std::vector<BookAssignment> assignments() const;  // by lab

  /// The student that `person` is: one who shares canvas id, school's number, email, login or
  /// github name (the first of these that decides); else the one with the same name and Moodle
  /// number; else, with NameMatch::allowed and where one of the two has none of these keys, the
  /// only one with the same name and no other Moodle number. A new one where there is none, or
  /// where several could be. Fills what was empty. Email and github name match in either case, and
  /// an email without "@" beside a name is none: class lists have "n/a". One whose canvas or
  /// school's number is another one is somebody else, whatever the two share, and where several
  /// share a key the name must be the same.
  RowId add_student(const Identity& person, NameMatch by_name = NameMatch::allowed);

  /// Notes that a roster has the student.
  void set_on_roster(RowId student);
  std::vector<BookStudent> students() const;  // by name (letter case aside), then id

  /// Adds an attempt with its source; false where the book has it: same lab, origin, content and
  /// problem, and no other time. Then it gets the students that it did not have, as a roster that
  /// came later knows them, and is the last one that was `seen`: somebody may hand in an old kernel
  /// again. All that one Book adds or has already is one download.
  bool add_attempt(const BookAttempt& attempt, const std::string& source);
  std::vector<BookAttempt> attempts() const;  // by id: as they came
  std::optional<std::string> source(const std::string& sha256) const;

  /// What set_source_keys() kept under this `version`, by the sources' hashes.
  std::map<std::string, std::string> source_keys(int version) const;
  /// Keeps keys of sources that the book has, in place of those of another version.
  void set_source_keys(int version, const std::map<std::string, std::string>& keys);

  RowId start_run(const BookRun& run);
  std::vector<BookRun> runs() const;  // by id

  /// Sources of gradable attempts for `lab`, each once, as they came, without a result that is
  /// neither `infra` nor of another lab_hash than the assignment's; none where the book has no such
  /// assignment. What has an accepted result of another lab_hash that is not `infra` is left out
  /// unless `again` says so, and what has deferred points or awaits a GPU is in only where it does.
  std::vector<Ungraded> ungraded(const std::string& lab, const GradeAgain& again) const;

  /// Writes results in one transaction. A result becomes the accepted one where its source has
  /// none, or one that ended `infra`; else it waits for accept(). One of equal lab and source and
  /// lab_hash is there already: left alone, unless it ended `infra`, or the new one has fewer
  /// deferred points or was made on the GPU that it awaits. Ids are the book's to give; run 0 is
  /// none.
  void add_results(const std::vector<BookResult>& results);

  /// The accepted result, or nothing.
  std::optional<BookResult> result(const std::string& lab, const std::string& sha256) const;

  /// All accepted results, with "" for the record, by lab and source.
  std::vector<BookResult> accepted_results() const;

  /// Results of the assignment's lab_hash that would replace accepted ones of another: old and new.
  /// Those that ended `infra` replace nothing.
  std::vector<std::pair<BookResult, BookResult>> replacements(const std::string& lab) const;

  /// Makes all of them the accepted ones, by their ids, in one transaction. Old ones are kept.
  /// Throws std::invalid_argument for one that is not in the book or ended `infra`.
  void accept(const std::vector<BookResult>& results);

  /// Adds it with the grades and the last attempt that the book has now.
  void add_adjustment(const BookAdjustment& adjustment);
  std::vector<BookAdjustment> adjustments() const;  // by id: as they were made

  /// Runs `work` in one transaction, undone where it throws. Others wait meanwhile: keep it short.
  void transaction(const std::function<void()>& work);

  /// Runs `work`, which only reads, on one state of the book: what others write meanwhile is not
  /// seen.
  void snapshot(const std::function<void()>& work) const;

 private:
  explicit Book(std::unique_ptr<BookConnection> connection);
  /// The value of that name, which is `fresh` from the first call on.
  std::string setting(const std::string& name, const std::string& fresh);

  std::unique_ptr<BookConnection> connection_;
};

}  // namespace tessera
