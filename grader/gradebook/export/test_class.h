// A small class with its gradebook, for tests of exports and reports.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/gradebook/export/export.h"
#include "grader/gradebook/test_book.h"
#include "grader/report/report.h"
#include "grader/report/sample_record.h"

namespace tessera {

class ExportTest : public BookTest {
 protected:
  ExportTest() {
    course_ = default_course({"01-naive", "03-tiled"});
    for (CourseLab& lab : course_.labs) lab.due = parse_zoned_time("2026-10-01T22:00:00Z");
    course_.late.per_day = 0.1;
    book_.set_assignment(
        {.lab = "03-tiled", .title = "Tiled multiplication", .max_points = 90, .lab_hash = "h"});
    run_ = book_.start_run({.id = 0,
                            .started_at = "2026-10-02T08:00:00Z",
                            .version = "0.1.0",
                            .machine = "lab-7",
                            .isolation = "bubblewrap",
                            .command = "tessera batch"});
  }

  void add_second_lab() {
    book_.set_assignment(
        {.lab = "01-naive", .title = "One thread an element", .max_points = 50, .lab_hash = "h"});
  }

  RowId add(const Person& person) { return book_.add_student(person); }

  /// Equal `source` means the same kernel.
  void hand_in(const std::vector<RowId>& students, const std::string& source,
               const std::string& feedback_name = "",
               const std::string& submitted_at = "2026-10-01T21:00:00Z") {
    BookAttempt added = attempt("03-tiled", students, sha256(source), submitted_at);
    added.origin = feedback_name.empty() ? "download/kernel.cu" : feedback_name;
    added.feedback_name = feedback_name;
    book_.add_attempt(added, source);
  }

  void grade(const std::string& source, const Record& record, const std::string& shared_from = "") {
    BookResult graded = result("03-tiled", sha256(source), "h", record.score);
    graded.max_score = record.max_score;
    graded.deferred = record.deferred;
    graded.run = run_;
    graded.record = json_report({record});
    graded.shared_from = shared_from;
    graded.ended_at = "2026-10-02T08:01:00Z";
    graded.infra = exit_status({record}) == 3;
    book_.add_results({graded});
  }

  /// A record in which one item ended `infra`.
  static Record infra_record() {
    Record record = won_record();
    record.items[0].status = Status::infra;
    record.items[0].points = 0;
    record.items[0].message = "the worker was killed";
    sum_points(record);
    return record;
  }

  /// Jane passed (70), Max is late and lost points (30 - 9), Ann's grading failed, Bob handed in
  /// nothing, Eve handed in a text file.
  void add_class() {
    jane_ = add({.name = "Doe, Jane",
                 .email = "jane@example.edu",
                 .login = "jdoe",
                 .sis_id = "s001",
                 .canvas_id = "1234",
                 .section = "CS101-A"});
    max_ = add({.name = "Roe, Max", .login = "mroe", .sis_id = "s002"});
    ann_ = add({.name = "Lee, Ann", .login = "alee"});
    bob_ = add({.name = "Poe, Bob", .login = "bpoe"});
    eve_ = add({.name = "Zoe, Eve", .login = "ezoe"});
    hand_in({jane_}, "won\n", "doejane_1234_98_kernel.cu");
    hand_in({max_}, "failed\n", "Max Roe_17_assignsubmission_file", "2026-10-02T10:00:00Z");
    hand_in({ann_}, "infra\n");
    BookAttempt text = problem("03-tiled", {eve_}, "kernel.txt: rename it to kernel.cu");
    text.origin = "download/kernel.txt";
    text.submitted_at = "2026-10-01T20:00:00Z";
    book_.add_attempt(text, "");
    grade("won\n", won_record());
    Record failed = failed_record();
    failed.items[0].max_points = 30;  // of 90
    sum_points(failed);
    grade("failed\n", failed);
    grade("infra\n", infra_record());
  }

  /// Kim's kernel, as in a download of Canvas: late, without a time.
  RowId add_late_by_an_unknown_time() {
    const RowId kim = add({.name = "Moe, Kim", .login = "kmoe"});
    BookAttempt late = attempt("03-tiled", {kim}, sha256("late\n"));
    late.origin = "moekim_LATE_5_9_kernel.cu";
    late.late = true;
    book_.add_attempt(late, "late\n");
    grade("late\n", won_record());
    return kim;
  }

  void set_late_days(RowId student, double days) {
    book_.add_adjustment({.id = 0,
                          .student = student,
                          .lab = "03-tiled",
                          .points = 0,
                          .reason = "came on Saturday",
                          .author = "ta",
                          .at = "2026-10-05T09:00:00Z",
                          .late_days = days});
  }

  void give_points_by_hand(RowId student) {
    book_.add_adjustment({.id = 0,
                          .student = student,
                          .lab = "03-tiled",
                          .points = 5,
                          .reason = "explained it well",
                          .author = "ta",
                          .at = "2026-10-05T09:00:00Z"});
  }

  std::vector<Mark> all_marks() const { return marks(book_, course_); }

  Expected<Exported> exported(const ExportRequest& request) const {
    return export_marks(book_, course_, all_marks(), request);
  }

  Exported written(const ExportRequest& request) const {
    const Expected<Exported> result = exported(request);
    if (!result) throw std::runtime_error(result.error().str());
    return *result;
  }

  std::filesystem::path out() const { return folder_.path() / "out"; }

  /// The content of every file below out(), by its path there.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(out())) {
      if (!entry.is_regular_file()) continue;
      found[std::filesystem::relative(entry.path(), out()).string()] = *read_file(entry.path());
    }
    return found;
  }

  Course course_;
  RowId run_ = 0;
  RowId jane_ = 0, max_ = 0, ann_ = 0, bob_ = 0, eve_ = 0;
};

}  // namespace tessera
