#include "grader/gradebook/take_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/gradebook/display_name.h"
#include "grader/gradebook/intake/lab_files.h"
#include "grader/gradebook/intake/roster.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxRosterBytes = 64u << 20;

class Intake {
 public:
  Intake(Book& book, const TakeInRequest& request, const std::optional<Roster>& roster)
      : book_(book), request_(request), roster_(roster) {}

  void add_roster() {
    if (!roster_) return;
    std::map<std::string, int> uses;
    for (const Identity& person : roster_->people()) ++uses[person.name];
    for (const Identity& person : roster_->people())
      book_.add_student(person, uses[person.name] > 1 ? NameMatch::never : NameMatch::allowed);
  }

  void add(const Submission& submission) {
    ++taken_.submissions;
    if (!submission.failure.empty()) {
      taken_.failures.push_back(submission.origin + ": " + submission.failure);
      return;
    }
    if (submission.is_whole_download) taken_.only_person = display_name(submission.people.front());
    BookAttempt attempt;
    attempt.feedback_name = submission.feedback_name;
    attempt.submitted_at = submission.submitted_at;
    attempt.late = submission.late;
    attempt.number = submission.attempt;
    const std::vector<LabFile> files = lab_files(submission, request_.labs, request_.only_lab);
    attempt.students = students_of(submission, files);
    for (const LabFile& file : files) {
      attempt.lab = file.lab;
      attempt.problem = file.problem;
      attempt.sha256 = file.problem.empty() ? sha256(file.content) : "";
      attempt.origin = submission.origin;
      if (!file.path.empty() && file.path != submission.origin) attempt.origin += "/" + file.path;
      taken_.new_attempts += book_.add_attempt(attempt, file.content) ? 1 : 0;
      if (!file.problem.empty()) {
        taken_.problems.push_back(attempt);
        continue;
      }
      ++taken_.kernels;
      taken_.copies += files_.emplace(attempt.lab, attempt.sha256).second ? 0 : 1;
    }
  }

  /// Moodle's numbers in the roster are of another assignment than the download's.
  std::optional<Error> check_numbers() const {
    if (numbered_ == 0 || numbered_on_roster_ > 0 || !roster_has_numbers()) return std::nullopt;
    return Error{.file = request_.roster.string(),
                 .message =
                     "none of the participants' numbers in the download is in this list: "
                     "Moodle numbers people anew in each assignment; give the grading "
                     "worksheet of this one, or a list without that column"};
  }

  TakenIn take() {
    taken_.unknown.assign(unknown_.begin(), unknown_.end());
    return std::move(taken_);
  }

 private:
  std::vector<RowId> students_of(const Submission& submission, const std::vector<LabFile>& files) {
    std::vector<RowId> ids;
    for (const Identity& person : submission.people) {
      if (const auto found = on_roster(person, submission.has_namesake)) {
        for (const Identity& member : with_group(*found)) ids.push_back(book_.add_student(member));
      } else {
        ids.push_back(off_roster(person, submission, files));
      }
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  bool roster_has_numbers() const { return roster_ && roster_->has_moodle_ids(); }

  std::optional<Identity> on_roster(Identity person, bool has_namesake) {
    if (!roster_) return std::nullopt;
    const std::string shown = display_name(person);
    const std::string number = person.moodle_id;
    if (has_namesake) person.name.clear();
    std::optional<Identity> found = roster_->find(person);
    if (!found) unknown_.insert(shown);
    numbered_ += number.empty() ? 0 : 1;
    numbered_on_roster_ += found && !number.empty() && found->moodle_id == number ? 1 : 0;
    return found;
  }

  RowId off_roster(const Identity& person, const Submission& submission,
                   const std::vector<LabFile>& files) {
    if (submission.has_namesake) return book_.add_student(person, NameMatch::never);
    if (const auto same = numbered_elsewhere(person, files)) return *same;
    return book_.add_student(person);
  }

  /// The book's only student of that name, whom Moodle numbered otherwise for another assignment:
  /// who handed in for one of these labs under another number is somebody else.
  std::optional<RowId> numbered_elsewhere(const Identity& person,
                                          const std::vector<LabFile>& files) {
    if (person.moodle_id.empty() || roster_has_numbers()) return std::nullopt;
    const Before& before = before_this_download();
    const auto [first, last] = before.students.equal_range(person.name);
    if (first == last || std::next(first) != last) return std::nullopt;
    const BookStudent& student = first->second;
    if (student.identity.moodle_id.empty()) return std::nullopt;
    const std::string place = person.name + "_" + person.moodle_id + "_";
    const auto [attempt, end] = before.attempts.equal_range(student.id);
    const bool other_number = std::any_of(attempt, end, [&](const auto& one) {
      const auto& [lab, feedback_name] = one.second;
      return !feedback_name.starts_with(place) && std::ranges::count(files, lab, &LabFile::lab) > 0;
    });
    return other_number ? std::nullopt : std::optional(student.id);
  }

  /// What the book knew before the download, and of the roster.
  struct Before {
    std::multimap<std::string, BookStudent> students;                    // by name
    std::multimap<RowId, std::pair<std::string, std::string>> attempts;  // lab, feedback's name
  };

  const Before& before_this_download() {
    if (before_) return *before_;
    before_.emplace();
    for (const BookStudent& student : book_.students())
      before_->students.emplace(student.identity.name, student);
    for (const BookAttempt& attempt : book_.attempts()) {
      for (const RowId id : attempt.students) {
        if (!attempt.lab.empty())
          before_->attempts.emplace(id, std::pair(attempt.lab, attempt.feedback_name));
      }
    }
    return *before_;
  }

  std::vector<Identity> with_group(const Identity& person) const {
    std::vector<Identity> members = {person};
    if (person.group.empty()) return members;
    for (const Identity& other : roster_->people()) {
      if (other.group == person.group) members.push_back(other);
    }
    return members;
  }

  Book& book_;
  const TakeInRequest& request_;
  const std::optional<Roster>& roster_;
  std::optional<Before> before_;
  std::set<std::string> unknown_;
  int numbered_ = 0;            // people of the download with a number of Moodle's
  int numbered_on_roster_ = 0;  // of these, whose number the roster has
  std::set<std::pair<std::string, std::string>> files_;  // lab and SHA-256
  TakenIn taken_;
};

Expected<std::optional<Roster>> read_roster(const std::filesystem::path& file) {
  if (file.empty()) return std::optional<Roster>();
  const Expected<std::string> text = read_file(file, kMaxRosterBytes);
  if (!text) return text.error();
  Expected<Roster> roster = Roster::from_csv(*text, file.string());
  if (!roster) return roster.error();
  return std::optional(std::move(*roster));
}

/// Carries an Error out of the transaction, which is undone by it.
struct Stopped {
  Error error;
};

}  // namespace

Expected<TakenIn> take_in(Book& book, const TakeInRequest& request) {
  const auto roster = read_roster(request.roster);
  if (!roster) return roster.error();
  const Expected<Download> download = Download::open(request.submissions);
  if (!download) return download.error();
  const SourceFormat format = request.format ? *request.format : recognise(*download);
  const std::vector<std::string> labs =
      request.only_lab ? std::vector{*request.only_lab} : request.labs;
  Intake intake(book, request, *roster);
  try {
    book.transaction([&] {
      intake.add_roster();
      const auto error = read_submissions(*download, format, labs,
                                          [&](const Submission& one) { intake.add(one); });
      if (error) throw Stopped{*error};
      if (const auto mismatch = intake.check_numbers()) throw Stopped{*mismatch};
    });
  } catch (const Stopped& stopped) {
    return stopped.error;
  }
  TakenIn taken = intake.take();
  taken.format = format;
  return taken;
}

}  // namespace tessera
