#include "grader/gradebook/take_in.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/gradebook/display_name.h"
#include "grader/gradebook/intake/lab_files.h"
#include "grader/gradebook/intake/names.h"
#include "grader/gradebook/intake/roster.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxRosterBytes = 64u << 20;

/// Who handed a submission in.
struct Owners {
  std::vector<RowId> students;
  std::string problem;  // who shares a name with others, and what would distinguish them

  void add_problem(const std::string& text) { problem += (problem.empty() ? "" : "; ") + text; }
};

/// "Jane Doe (jdoe1) and Jane Doe (jdoe2)".
std::string listed_people(const std::vector<Identity>& people) {
  std::vector<std::string> names;
  for (const Identity& person : people) names.push_back(printable_name(distinct_name(person)));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// What would distinguish `person` from others of the same name.
std::string remedy(const Identity& person) {
  if (!person.canvas_id.empty()) {
    return fmt::format("give a roster with everybody's Canvas ID (here it is {})",
                       printable_name(person.canvas_id));
  }
  if (!person.moodle_id.empty()) {
    return fmt::format(
        "give this assignment's grading worksheet as the roster (here it is Participant {})",
        person.moodle_id);
  }
  return "it needs an email or a number beside the name";
}

std::string unclear(const Identity& person, const std::vector<Identity>& people) {
  return fmt::format("'{}' may be {}, and nothing else in the submission says which of them; {}",
                     printable_name(display_name(person)), listed_people(people), remedy(person));
}

std::string unclear(const Identity& person, const std::vector<std::string>& origins) {
  std::vector<std::string> names;
  for (const std::string& origin : origins) names.push_back(printable_name(origin));
  return fmt::format("'{}' handed in {}, and nothing says whether they are one person; {}",
                     printable_name(person.name), fmt::join(names, " and "), remedy(person));
}

std::string spelled_otherwise(const Identity& person, const Identity& known) {
  return fmt::format(
      "the name '{}' is like that of {} of the roster, but not the same, and nothing else says "
      "that they are one person; {}, or write the name there as the course system does",
      printable_name(person.name), printable_name(distinct_name(known)), remedy(person));
}

std::string contradiction(const std::vector<RosterHit>& hits) {
  std::vector<std::string> owners;
  for (const RosterHit& hit : hits) {
    owners.push_back(fmt::format("the {} '{}' belongs to {}", hit.what, printable_name(hit.value),
                                 printable_name(distinct_name(hit.owner))));
  }
  return fmt::format(
      "what it says about who handed it in points to different people: {}; correct what is wrong "
      "in the course system or in the roster, and run batch on the new download",
      fmt::join(owners, ", "));
}

class Intake {
 public:
  Intake(Book& book, const TakeInRequest& request, std::optional<Roster> roster)
      : book_(book), request_(request), roster_(std::move(roster)) {}

  void add_roster() {
    if (!roster_) return;
    std::map<std::string, int> uses;
    for (const Identity& person : roster_->people()) ++uses[person.name];
    std::vector<RowId> ids;
    for (const Identity& person : roster_->people()) {
      ids.push_back(
          book_.add_student(person, uses[person.name] > 1 ? NameMatch::never : NameMatch::allowed));
      book_.set_on_roster(ids.back());
    }
    std::map<RowId, Identity> known;
    for (BookStudent& student : book_.students())
      known.emplace(student.id, std::move(student.identity));
    for (std::size_t i = 0; i < ids.size(); ++i) roster_->learn(i, known.at(ids[i]));
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
    const Owners owners = owners_of(submission, files);
    for (const LabFile& file : files) {
      attempt.lab = file.lab;
      attempt.origin = submission.origin;
      if (!file.path.empty() && file.path != submission.origin) attempt.origin += "/" + file.path;
      owners_.insert(owners.students.begin(), owners.students.end());
      if (!owners.students.empty()) add_attempt(attempt, owners.students, file);
      if (!owners.problem.empty()) add_ownerless(attempt, submission.origin, owners.problem);
    }
  }

  /// An error if Moodle's numbers in the roster are of another assignment than the download's.
  std::optional<Error> check_numbers() const {
    if (numbered_ == 0 || numbered_on_roster_ > 0 || !roster_has_numbers()) return std::nullopt;
    return Error{.file = request_.roster.string(),
                 .message =
                     "none of the participants' numbers in the download is in this list: "
                     "Moodle numbers people anew in each assignment; give the grading "
                     "worksheet of this one, or a list without that column"};
  }

  /// An error if the download is one student's and names others: what a student hands in may have
  /// the layout of a download.
  std::optional<Error> check_owners(const Download& download, SourceFormat format) {
    std::vector<std::string> names = {download.root().name};
    const std::vector<TreeEntry> entries = entries_of(download.root());
    if (entries.size() == 1) names.push_back(entries.front().name);
    for (const std::string& name : names) {
      const auto person = called_after(name);
      if (!person) continue;
      std::set<RowId> members;
      for (const Identity& member : with_group(*person)) members.insert(book_.add_student(member));
      if (std::ranges::includes(members, owners_)) continue;
      return Error{
          .file = request_.submissions.string(),
          .message = fmt::format(
              "'{}' is {} of the roster, and what is in it looks like a download ({}) with "
              "the work of others. If all of it is one student's, put it into a folder "
              "and give --format plain; if it is a download, give --format {}",
              printable_name(name), printable_name(distinct_name(*person)), to_string(format),
              to_string(format))};
    }
    return std::nullopt;
  }

  /// The person of the roster after whom the download is named, even if spelled differently.
  std::optional<Identity> called_after(const std::string& name) const {
    if (!roster_) return std::nullopt;
    if (auto person = roster_->find({.name = name, .login = name})) return person;
    std::vector<Identity> like = roster_->namesakes({.name = name});
    if (like.size() != 1) return std::nullopt;
    return std::move(like.front());
  }

  TakenIn take() {
    taken_.people = static_cast<int>(owners_.size());
    taken_.unknown.assign(unknown_.begin(), unknown_.end());
    return std::move(taken_);
  }

 private:
  void add_attempt(BookAttempt attempt, const std::vector<RowId>& students, const LabFile& file) {
    attempt.students = students;
    attempt.problem = file.problem;
    attempt.sha256 = file.problem.empty() ? sha256(file.content) : "";
    taken_.new_attempts += book_.add_attempt(attempt, file.content) ? 1 : 0;
    if (!file.problem.empty()) {
      taken_.problems.push_back(attempt);
      return;
    }
    ++taken_.kernels;
    taken_.copies += files_.emplace(attempt.lab, attempt.sha256).second ? 0 : 1;
  }

  /// Work whose owner is not clear stands under its own name, like a file that names none.
  void add_ownerless(BookAttempt attempt, const std::string& origin, const std::string& problem) {
    Identity row;
    row.name = origin;
    attempt.students = {book_.add_student(row)};
    attempt.problem = problem;
    taken_.new_attempts += book_.add_attempt(attempt, "") ? 1 : 0;
    taken_.problems.push_back(attempt);
  }

  Owners owners_of(const Submission& submission, const std::vector<LabFile>& files) {
    Owners owners;
    std::vector<RowId>& ids = owners.students;
    for (const Identity& person : submission.people) {
      const auto shared = submission.shared_names.find(person.name);
      const bool has_namesake = shared != submission.shared_names.end();
      if (const auto hits = contradictions(person); !hits.empty()) {
        owners.add_problem(contradiction(hits));
        continue;
      }
      const bool has_similar = submission.similar_names.contains(person.name);
      if (const auto found = on_roster(person, has_namesake, has_similar)) {
        for (const Identity& member : with_group(*found)) ids.push_back(book_.add_student(member));
        continue;
      }
      if (display_name(person).empty()) {
        owners.add_problem("the download does not say who handed it in");
      } else if (const auto like = namesakes(person, has_similar); like.size() == 1) {
        owners.add_problem(spelled_otherwise(person, like.front()));
      } else if (const auto people = candidates(person, like, files); people.size() > 1) {
        owners.add_problem(unclear(person, people));
      } else if (has_namesake && is_name_alone(person)) {
        owners.add_problem(unclear(person, shared->second));
      } else {
        ids.push_back(off_roster(person, has_namesake, files));
      }
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return owners;
  }

  bool roster_has_numbers() const { return roster_ && roster_->has_moodle_ids(); }

  std::vector<RosterHit> contradictions(const Identity& person) const {
    return roster_ ? roster_->contradictions(person) : std::vector<RosterHit>();
  }

  std::optional<Identity> on_roster(Identity person, bool has_namesake, bool has_similar) {
    if (!roster_) return std::nullopt;
    const std::string number = person.moodle_id;
    if (has_namesake) person.name.clear();
    std::optional<Identity> found = roster_->find(person, has_similar);
    roster_->remember(person, has_similar);
    numbered_ += number.empty() ? 0 : 1;
    numbered_on_roster_ += found && !number.empty() && found->moodle_id == number ? 1 : 0;
    return found;
  }

  RowId off_roster(const Identity& person, bool has_namesake, const std::vector<LabFile>& files) {
    if (roster_) unknown_.insert(display_name(person));
    if (has_namesake) return book_.add_student(person, NameMatch::never);
    const std::vector<BookStudent> same = of_the_name(person, files);
    const bool numbered_elsewhere = same.size() == 1 && !same.front().identity.moodle_id.empty();
    return numbered_elsewhere && !person.moodle_id.empty() ? same.front().id
                                                           : book_.add_student(person);
  }

  static bool is_name_alone(const Identity& person) {
    return !has_key(person) && person.moodle_id.empty();
  }

  static bool has_key(const Identity& person) {
    return !(person.canvas_id + person.sis_id + person.email + person.login + person.github)
                .empty();
  }

  /// The people of the roster whom the name of `person`, whom it does not know for sure, may mean.
  std::vector<Identity> namesakes(Identity person, bool has_similar) const {
    if (!roster_) return {};
    const bool is_folder_name = person.name.empty();
    if (is_folder_name) person.name = std::exchange(person.login, "");
    std::vector<Identity> people = roster_->namesakes(person, has_similar);
    return is_folder_name && people.size() == 1 ? std::vector<Identity>() : people;
  }

  /// Who `person`, whom the roster does not know for sure, may be: several if there is only the
  /// name to go by. `namesakes`: those of the roster.
  std::vector<Identity> candidates(Identity person, const std::vector<Identity>& namesakes,
                                   const std::vector<LabFile>& files) {
    if (!namesakes.empty()) return namesakes;
    if (person.name.empty()) person.name = std::exchange(person.login, "");  // a folder's name
    std::vector<Identity> people;
    for (const BookStudent& student : of_the_name(person, files))
      people.push_back(student.identity);
    return people;
  }

  /// The book's students who have the name of `person`, who is known by nothing but perhaps
  /// Moodle's number: the one with this number, or all but those with another number for one of
  /// these labs. Moodle numbers people anew in each assignment.
  std::vector<BookStudent> of_the_name(const Identity& person, const std::vector<LabFile>& files) {
    std::vector<BookStudent> same;
    if (has_key(person)) return same;
    const Before& before = before_this_download();
    const auto [first, last] = before.students.equal_range(person.name);
    for (auto next = first; next != last; ++next) {
      const BookStudent& student = next->second;
      const std::string& number = student.identity.moodle_id;
      if (!number.empty() && number == person.moodle_id) return {student};
      const bool other = !number.empty() && !person.moodle_id.empty() &&
                         (roster_has_numbers() || has_other_number(student, person, files));
      if (!other) same.push_back(student);
    }
    return same;
  }

  /// Whether the student has handed in for one of these labs under another number.
  bool has_other_number(const BookStudent& student, const Identity& person,
                        const std::vector<LabFile>& files) {
    const std::string place = person.name + "_" + person.moodle_id + "_";
    const auto [attempt, end] = before_this_download().attempts.equal_range(student.id);
    return std::any_of(attempt, end, [&](const auto& entry) {
      const auto& [lab, feedback_name] = entry.second;
      return !feedback_name.starts_with(place) && std::ranges::count(files, lab, &LabFile::lab) > 0;
    });
  }

  /// What the book knew before the download, with the roster.
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
  std::optional<Roster> roster_;
  std::optional<Before> before_;
  std::set<std::string> unknown_;
  std::set<RowId> owners_;      // of all attempts
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

/// Thrown to carry an Error out of the transaction and undo it.
struct Stopped {
  Error error;
};

}  // namespace

Expected<TakenIn> take_in(Book& book, const TakeInRequest& request) {
  auto roster = read_roster(request.roster);
  if (!roster) return roster.error();
  const Expected<Download> download = Download::open(request.submissions);
  if (!download) return download.error();
  const SourceFormat format = request.format ? *request.format : recognise(*download);
  const std::vector<std::string> labs =
      request.only_lab ? std::vector{*request.only_lab} : request.labs;
  Intake intake(book, request, std::move(*roster));
  try {
    book.transaction([&] {
      intake.add_roster();
      const auto error = read_submissions(
          *download, format, labs, [&](const Submission& submission) { intake.add(submission); });
      if (error) throw Stopped{*error};
      if (const auto mismatch = intake.check_numbers()) throw Stopped{*mismatch};
      if (request.format) return;
      if (const auto others = intake.check_owners(*download, format)) throw Stopped{*others};
    });
  } catch (const Stopped& stopped) {
    return stopped.error;
  }
  TakenIn taken = intake.take();
  taken.format = format;
  return taken;
}

}  // namespace tessera
