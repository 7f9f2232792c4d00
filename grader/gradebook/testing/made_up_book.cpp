#include "grader/gradebook/testing/made_up_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/judge/points/threshold.h"
#include "grader/judge/points/weigh.h"
#include "grader/lab/course.h"
#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDevice = "NVIDIA H200";
constexpr const char* kHash = "made up";
constexpr UnixTime kFirstDay = 1'790'000'000;  // in September 2026
constexpr UnixTime kDay = 86'400;

template <class T>
T value_of(Expected<T> result) {
  if (!result) throw std::runtime_error(result.error().str());
  return std::move(*result);
}

/// What a kernel does wrong.
struct Flaw {
  FindingKind kind;
  const char* diagnosis;
  const char* message;
};

const std::vector<Flaw>& flaws() {
  static const std::vector<Flaw> all = {
      {FindingKind::race, "", "As[3][5] is written by thread (5, 3, 0) and read by (0, 3, 0)"},
      {FindingKind::out_of_bounds, "", "thread (15, 3, 0) reads A[19][4], which has 19 rows"},
      {FindingKind::wrong_result, "missing-last-phase", "C: 192 of 3,072 elements are wrong"},
      {FindingKind::wrong_result, "operand-transposed", "C equals A times B transposed"},
      {FindingKind::wrong_result, "", "C: 3,072 of 3,072 elements are wrong"},
      {FindingKind::output_not_written, "", "C: 48 of 3,072 elements were never written"},
      {FindingKind::divergent_barrier, "", "16 of 32 lanes wait at the barrier"},
      {FindingKind::uninitialized_read, "", "Bs[15][15] is read and was never written"}};
  return all;
}

std::string name_of(int number) {
  static const std::vector<std::string> kFirst = {"Ada",  "Ben",   "Chloé", "Dmitri",
                                                  "Elif", "Farid", "Grace", "Hiro",
                                                  "Ines", "Jun",   "Kofi",  "Lena"};
  static const std::vector<std::string> kLast = {
      "Abe",    "Brandt", "Çelik", "Dubois", "Eriksson", "Fischer",
      "García", "Haddad", "Ito",   "Jansen", "Kowalski", "Nguyen-Thompson"};
  static const std::vector<std::string> kHostile = {
      "</th></table><script>alert(1)</script>",
      "\" onmouseover=\"alert(1)",
      "משה לוי",
      "\u202Egnp.exe",
      "김 행렬",
      "<!-- -->]]>&amp;",
      "=HYPERLINK(\"http://x\")",
      "A name that is so long that no column of any table has ever been made wide enough for it"};
  const auto at = static_cast<std::size_t>(number);
  if (at <= kHostile.size()) return kHostile[at - 1];
  return fmt::format("{} {}, {}", kLast[at % kLast.size()], at, kFirst[at / 7 % kFirst.size()]);
}

class BookWriter {
 public:
  BookWriter(const BookRequest& request, Book& book)
      : request_(request), book_(book), random_(request.seed) {
    for (const fs::path& folder : find_labs(request.kit / "labs")) {
      const std::string id = folder.filename().string();
      labs_.push_back(value_of(load_lab(folder, request.kit / "solutions" / id / "hidden.yaml",
                                        request.kit / "datasets")));
      sources_.push_back(value_of(read_file(request.kit / "solutions" / id / "kernel.cu")));
    }
  }

  void write() {
    book_.transaction([&] {
      for (const Lab& lab : labs_) {
        book_.set_assignment(
            {.lab = lab.id, .title = lab.title, .max_points = lab.max_points(), .lab_hash = kHash});
      }
      for (int number = 1; number <= request_.students; ++number) write_student(number);
    });
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }
  double share() { return static_cast<double>(draw(10'000)) / 10'000; }

  void write_student(int number) {
    Identity person;
    person.name = name_of(number);
    person.login = fmt::format("login{}", number);
    person.email = fmt::format("login{}@example.edu", number);
    person.sis_id = fmt::format("s{:06}", 100'000 + number);
    person.section = fmt::format("CS101-{}", number % 5 + 1);
    const RowId student = book_.add_student(person);
    for (std::size_t lab = 0; lab < labs_.size(); ++lab) write_lab(student, lab);
  }

  void write_lab(RowId student, std::size_t lab) {
    const std::size_t fate = draw(100);
    if (fate < 4) return;  // handed in nothing
    if (fate < 5) return hand_in_text(student, lab);
    const int attempts = 1 + static_cast<int>(draw(6));
    const bool gets_there = draw(3) > 0;
    std::string source;
    for (int attempt = 1; attempt <= attempts; ++attempt) {
      const bool again = attempt > 1 && draw(8) == 0;
      const bool fresh = source.empty() || !again;
      if (fresh)
        source = fmt::format("// by student {}, attempt {}\n{}", student, attempt, sources_[lab]);
      hand_in(student, lab, attempt, source);
      if (fresh) grade(lab, source, gets_there && attempt == attempts);
    }
    if (draw(200) == 0)
      book_.add_adjustment({.student = student,
                            .lab = labs_[lab].id,
                            .points = 5,
                            .reason = "explained it at the board",
                            .author = "ta",
                            .at = "2026-10-30T10:00:00Z"});
  }

  BookAttempt attempt_of(RowId student, std::size_t lab, int number) {
    BookAttempt attempt;
    attempt.lab = labs_[lab].id;
    attempt.students = {student};
    attempt.number = number;
    attempt.origin = fmt::format("login{}_{}/kernel.cu", student, number);
    const auto week = static_cast<UnixTime>(7 * lab);
    attempt.submitted_at = format_time(kFirstDay + kDay * week + number * 50'000 +
                                       static_cast<UnixTime>(draw(90'000)));
    return attempt;
  }

  void hand_in_text(RowId student, std::size_t lab) {
    BookAttempt attempt = attempt_of(student, lab, 1);
    attempt.problem = fmt::format("login{}.txt: rename it to kernel.cu", student);
    book_.add_attempt(attempt, "");
  }

  void hand_in(RowId student, std::size_t lab, int number, const std::string& source) {
    BookAttempt attempt = attempt_of(student, lab, number);
    attempt.sha256 = sha256(source);
    book_.add_attempt(attempt, source);
  }

  void grade(std::size_t at, const std::string& source, bool right) {
    const Lab& lab = labs_[at];
    Record record;
    record.lab = lab.id;
    record.title = lab.title;
    record.sha256 = sha256(source);
    record.device = request_.gpu ? fmt::format("simulated {0}, timed on {0}", kDevice)
                                 : fmt::format("simulated {}", kDevice);
    record.compiler = "clang 14.0.6";
    record.items = items_of(lab, source, right);
    sum_points(record);
    BookResult result;
    result.lab = lab.id;
    result.sha256 = record.sha256;
    result.lab_hash = kHash;
    result.record = json_report({record});
    result.score = record.score;
    result.max_score = record.max_score;
    result.deferred = record.deferred;
    result.infra = exit_status({record}) == 3;
    result.ended_at = "2026-10-29T10:00:00Z";
    book_.add_results({result});
  }

  std::vector<Item> items_of(const Lab& lab, const std::string& source, bool right) {
    const std::size_t fate = draw(100);
    if (fate == 0)
      return weigh_nothing(lab, Status::infra, "the worker was killed", "grade again", {});
    if (!right && fate < 12) return broken(lab, source);
    const Flaw& flaw = flaws()[draw(flaws().size())];
    const int line = some_line(source, static_cast<std::size_t>(&flaw - flaws().data()));
    const std::size_t first = right ? lab.cases.size() : draw(lab.cases.size());
    std::vector<CaseOutcome> outcomes(lab.cases.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      for (const TechniqueItem& technique : lab.technique)
        outcomes[i].metrics[technique.metric] = counter(technique, right);
      outcomes[i].metrics[Metric::instructions] = 1'000;
      if (i >= first) fail(flaw, line, outcomes[i]);
    }
    std::vector<Item> items = weigh(lab, outcomes);
    if (request_.gpu) time(lab, items);
    return items;
  }

  /// One that a good kernel has, or now and then a naive one.
  double counter(const TechniqueItem& technique, bool right) {
    const double good = technique.at_most.value_or(technique.at_least.value_or(1));
    return right && draw(4) > 0 ? good : technique.naive.value_or(good);
  }

  void fail(const Flaw& flaw, int line, CaseOutcome& outcome) {
    Finding finding;
    finding.kind = flaw.kind;
    finding.file = "kernel.cu";
    if (flaw.kind != FindingKind::wrong_result && flaw.kind != FindingKind::output_not_written)
      finding.line = line;
    finding.message = flaw.message;
    if (flaw.diagnosis[0] != '\0') finding.example = {{"diagnosis", flaw.diagnosis}};
    outcome.findings = {finding};
    outcome.status = Status::fail;
    outcome.message = flaw.message;
  }

  std::vector<Item> broken(const Lab& lab, const std::string& source) {
    Finding finding;
    finding.kind = FindingKind::does_not_compile;
    finding.file = "kernel.cu";
    finding.line = some_line(source, 0);
    finding.message = draw(2) == 0 ? "expected ';' after expression"
                                   : fmt::format("use of undeclared identifier 'tile{}'", draw(50));
    return weigh_nothing(lab, Status::error, "does not compile", "", {finding});
  }

  /// A line with a statement, one of a few that go with the flaw.
  int some_line(const std::string& source, std::size_t flaw) {
    const std::vector<std::string> lines = split_lines(source);
    std::vector<int> statements;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string code = lines[i].substr(0, lines[i].find("//"));
      if (code.find(';') != code.npos) statements.push_back(static_cast<int>(i) + 1);
    }
    return statements[(5 * flaw + draw(3)) % statements.size()];
  }

  void time(const Lab& lab, std::vector<Item>& items) {
    for_each_waiting(lab, items, [&](const Threshold& threshold, Item& item) {
      const auto range = range_on(threshold, kDevice);
      if (!range) return;
      const double value = range->zero * std::pow(range->full / range->zero, 2.2 * share() - 0.5);
      const double milliseconds = threshold.metric == Metric::time_ms ? value : 4 / value;
      item.metrics = {{threshold.metric, value}, {Metric::time_ms, milliseconds}};
      if (threshold.metric == Metric::speedup) item.metrics[Metric::baseline_ms] = 4;
      item.message = "made up";
      award(item, value, threshold, kDevice);
    });
  }

  const BookRequest& request_;
  Book& book_;
  std::mt19937_64 random_;
  std::vector<Lab> labs_;
  std::vector<std::string> sources_;
};

}  // namespace

void write_made_up_book(const BookRequest& request, Book& book) {
  BookWriter(request, book).write();
}

}  // namespace tessera
