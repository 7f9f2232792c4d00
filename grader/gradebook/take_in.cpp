#include "grader/gradebook/take_in.h"

#include <fmt/format.h>

#include <algorithm>
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
    for (const Identity& person : roster_->people()) book_.add_student(person);
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
    attempt.students = students_of(submission);
    for (const LabFile& file : lab_files(submission, request_.labs, request_.only_lab)) {
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

  TakenIn take() {
    taken_.unknown.assign(unknown_.begin(), unknown_.end());
    return std::move(taken_);
  }

 private:
  std::vector<RowId> students_of(const Submission& submission) {
    std::vector<RowId> ids;
    for (const Identity& person : submission.people) {
      for (const Identity& member : with_group(known(person)))
        ids.push_back(book_.add_student(member));
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  Identity known(const Identity& person) {
    if (!roster_) return person;
    if (const auto found = roster_->find(person)) return *found;
    unknown_.insert(display_name(person));
    return person;
  }

  std::vector<Identity> with_group(const Identity& person) const {
    std::vector<Identity> members = {person};
    if (!roster_ || person.group.empty()) return members;
    for (const Identity& other : roster_->people()) {
      if (other.group == person.group) members.push_back(other);
    }
    return members;
  }

  Book& book_;
  const TakeInRequest& request_;
  const std::optional<Roster>& roster_;
  std::set<std::string> unknown_;
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
    });
  } catch (const Stopped& stopped) {
    return stopped.error;
  }
  TakenIn taken = intake.take();
  taken.format = format;
  return taken;
}

}  // namespace tessera
