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
  bool on_roster = false;  // a roster listed them
};

/// One kernel that was handed in for one lab, or the reason why there is none.
struct BookAttempt {
  RowId id = 0;
  std::string lab = "";  // "" if unknown
  std::vector<RowId> students = {};
  std::string sha256 = "";         // of the kernel's bytes; "" if there is none
  std::string problem = "";        // why it cannot be graded; "" if it can
  std::string origin = "";         // path in the download, and inside the submission
  std::string feedback_name = "";  // as Submission::feedback_name
  std::string submitted_at = "";   // "2026-10-01T21:59:03Z" or ""
  bool late = false;               // as the source said
  int number = 0;                  // as the source counted, or 0
  std::int64_t download = 0;       // the last one that held it; the book counts downloads, from 1
  std::int64_t seen = 0;  // when it was added last, in the order of all attempts; set by the book
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
  bool awaits_gpu = false;       // some of these are for cases that no GPU has run
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

/// A change of a mark by hand, kept beside the mark for ever. It applies to the work that was there
/// when it was made, unless it is a bonus.
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
  bool bonus = false;      // counts whatever is graded, and may exceed the lab's maximum
  RowId last_attempt = 0;  // the book's last attempt when it was made; set by the book
  /// Accepted results, none of them `infra`, of the student's kernels for the lab when it was made;
  /// set by the book.
  std::vector<AdjustedGrade> grades = {};
};

/// Which sources are graded again although they have a result.
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

/// Whether a name alone may decide who a person is, if nothing else does.
enum class NameMatch { allowed, never };

class BookConnection;

/// Every member throws std::runtime_error with the file's name if SQLite fails: no room on the
/// disk, a damaged file, another process that holds the file for more than a minute, writing with
/// Mode::read. A call that throws has written nothing. One thread uses a Book at a time, and a
/// process that was forked off opens its own.
class Book {
 public:
  enum class Mode {
    create,  // reads and writes; creates the file if it is missing or empty
    write,   // reads and writes
    read
  };

  /// Errors: no such file (write, read), not a gradebook, made by a newer version, a file or folder
  /// that cannot be written (reading needs a writable folder too), a disk without room, a network
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
  /// number; else, with NameMatch::allowed and if one of the two has none of these keys, the only
  /// one with the same name and no other Moodle number. A new one if there is none, or if several
  /// could be meant. Fills what was empty. Email and github name match in either case, and an email
  /// without "@" beside a name is none: class lists have "n/a". People whose canvas or school's
  /// numbers differ are two students, whatever else they share; if several share a key, the name
  /// must be the same too.
  RowId add_student(const Identity& person, NameMatch by_name = NameMatch::allowed);

  /// Notes that a roster lists the student.
  void set_on_roster(RowId student);
  std::vector<BookStudent> students() const;  // by name (letter case aside), then id

  /// Adds an attempt with its source. False if the book has it (same lab, origin, content and
  /// problem, and no other time): then it gets the students that it lacked, whom a later roster may
  /// know, and becomes the last one `seen`, since a student may hand in an old kernel again. All
  /// attempts that one Book adds or meets again are one download.
  bool add_attempt(const BookAttempt& attempt, const std::string& source);
  std::vector<BookAttempt> attempts() const;  // by id: as they came
  std::optional<std::string> source(const std::string& sha256) const;

  /// The keys that set_source_keys() kept under this `version`, by the sources' hashes.
  std::map<std::string, std::string> source_keys(int version) const;
  /// Keeps keys of sources that the book has, in place of those of another version.
  void set_source_keys(int version, const std::map<std::string, std::string>& keys);

  RowId start_run(const BookRun& run);
  std::vector<BookRun> runs() const;  // by id

  /// Sources of gradable attempts for `lab`, each once, as they came, that have no result under the
  /// assignment's lab_hash, or one that ended `infra`; none if the book has no such assignment.
  /// Sources with an accepted result of another lab_hash, with deferred points or one that awaits a
  /// GPU, are listed only if `again` says so.
  std::vector<Ungraded> ungraded(const std::string& lab, const GradeAgain& again) const;

  /// Writes results in one transaction. A result becomes the accepted one if its source has none,
  /// or one that ended `infra`; else it waits for accept(). An earlier result of the same lab,
  /// source and lab_hash stays unless it ended `infra`, or the new one has fewer deferred points or
  /// was made on the GPU that it awaits. The book sets the ids; run 0 means none.
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

  /// Adds the adjustment with the grades and the last attempt that the book has now.
  void add_adjustment(const BookAdjustment& adjustment);
  std::vector<BookAdjustment> adjustments() const;  // by id: as they were made

  /// Runs `work` in one transaction, undone if it throws. Other processes wait meanwhile: keep it
  /// short.
  void transaction(const std::function<void()>& work);

  /// Runs `work`, which only reads, on one state of the book: what others write meanwhile is not
  /// seen.
  void snapshot(const std::function<void()>& work) const;

 private:
  explicit Book(std::unique_ptr<BookConnection> connection);
  /// The value kept under `name`; the first call keeps `fresh`.
  std::string setting(const std::string& name, const std::string& fresh);

  std::unique_ptr<BookConnection> connection_;
};

}  // namespace tessera
