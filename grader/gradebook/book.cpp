#include "grader/gradebook/book.h"

#include <fmt/format.h>

#include "grader/gradebook/book_connection.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLeastPage = 512;

/// Why there can be no gradebook at `file`, or nothing.
std::optional<std::string> impossible_place(const fs::path& file, Book::Mode mode) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found) {
    if (mode != Book::Mode::create) return "there is no such gradebook; `tessera batch` makes one";
    const fs::path folder = fs::absolute(file).parent_path();
    if (fs::is_directory(folder, code)) return std::nullopt;
    return fmt::format("there is no folder {}; make it first", folder.string());
  }
  if (fs::is_directory(status)) return "is a folder; expected the file of a gradebook";
  if (fs::is_regular_file(status)) {
    // SQLite takes a file smaller than its least page size for an empty one and would overwrite it.
    const std::uintmax_t bytes = fs::file_size(file, code);
    if (bytes > 0 && bytes < kLeastPage) return "is not a gradebook";
    return std::nullopt;
  }
  return code ? "cannot be read: " + code.message() : "is not a regular file";
}

/// The grades that an adjustment is about: what its student has for the lab now.
constexpr const char* kKeepGrades = R"sql(
  INSERT INTO adjusted_grade (adjustment, sha256, score, review)
  SELECT DISTINCT adjustment.id, result.sha256, result.score, result.review
  FROM adjustment
  JOIN attempt_student ON attempt_student.student = adjustment.student
  JOIN attempt ON attempt.id = attempt_student.attempt AND attempt.lab = adjustment.lab
  JOIN accepted ON accepted.lab = attempt.lab AND accepted.sha256 = attempt.sha256
  JOIN result ON result.id = accepted.result
  WHERE adjustment.id = ? AND NOT result.infra)sql";

std::map<RowId, std::vector<AdjustedGrade>> grades_of_adjustments(const BookConnection& book) {
  std::map<RowId, std::vector<AdjustedGrade>> grades;
  auto rows = book.statement("SELECT adjustment, sha256, score, review FROM adjusted_grade");
  while (rows.executeStep()) {
    Row row(rows);
    const RowId adjustment = row.whole();
    std::string sha256 = row.text();
    const double score = row.number();
    grades[adjustment].push_back(
        {.sha256 = std::move(sha256), .score = score, .review = row.number()});
  }
  return grades;
}

}  // namespace

Expected<Book> Book::open(const fs::path& file, Mode mode) {
  const auto error = [&](std::string message) {
    return Error{.file = file.string(), .message = std::move(message)};
  };
  if (auto reason = impossible_place(file, mode)) return error(std::move(*reason));
  try {
    auto connection = std::make_unique<BookConnection>(file, mode);
    if (auto problem = connection->prepare(mode)) return std::move(*problem);
    return Book(std::move(connection));
  } catch (const SQLite::Exception& exception) {
    return error(explain(exception, file));
  }
}

Book::Book(std::unique_ptr<BookConnection> connection) : connection_(std::move(connection)) {
}
Book::Book(Book&&) noexcept = default;
Book& Book::operator=(Book&&) noexcept = default;
Book::~Book() = default;

std::string Book::seed_key(const std::string& fresh) {
  return setting("seed_key", fresh);
}

std::string Book::pseudonym_key(const std::string& fresh) {
  return setting("pseudonym_key", fresh);
}

std::string Book::setting(const std::string& name, const std::string& fresh) {
  const auto kept = [&] {
    const auto values =
        connection_->list(connection_->statement("SELECT value FROM setting WHERE name = ?", name),
                          [](Row& row) { return row.text(); });
    return values.empty() ? std::nullopt : std::optional(values.front());
  };
  std::optional<std::string> value;
  connection_->read([&] { value = kept(); });
  if (!value) {
    connection_->write([&] {
      connection_
          ->statement("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", name, fresh)
          .exec();
      value = kept();
    });
  }
  return *value;
}

void Book::set_assignment(const BookAssignment& assignment) {
  connection_->write([&] {
    connection_
        ->statement(
            "INSERT OR REPLACE INTO assignment (lab, title, max_points, lab_hash) "
            "VALUES (?, ?, ?, ?)",
            assignment.lab, assignment.title, assignment.max_points, assignment.lab_hash)
        .exec();
  });
}

std::vector<BookAssignment> Book::assignments() const {
  std::vector<BookAssignment> assignments;
  connection_->read([&] {
    assignments = connection_->list(
        connection_->statement(
            "SELECT lab, title, max_points, lab_hash FROM assignment ORDER BY lab"),
        [](Row& row) {
          return BookAssignment{.lab = row.text(),
                                .title = row.text(),
                                .max_points = row.number(),
                                .lab_hash = row.text()};
        });
  });
  return assignments;
}

RowId Book::start_run(const BookRun& run) {
  RowId id = 0;
  connection_->write([&] {
    connection_
        ->statement(
            "INSERT INTO run (started_at, version, machine, isolation, command) "
            "VALUES (?, ?, ?, ?, ?)",
            run.started_at, run.version, run.machine, run.isolation, run.command)
        .exec();
    id = connection_->last_id();
  });
  return id;
}

std::vector<BookRun> Book::runs() const {
  std::vector<BookRun> runs;
  connection_->read([&] {
    runs = connection_->list(
        connection_->statement(
            "SELECT id, started_at, version, machine, isolation, command FROM run ORDER BY id"),
        [](Row& row) {
          return BookRun{.id = row.whole(),
                         .started_at = row.text(),
                         .version = row.text(),
                         .machine = row.text(),
                         .isolation = row.text(),
                         .command = row.text()};
        });
  });
  return runs;
}

void Book::add_adjustment(const BookAdjustment& adjustment) {
  connection_->write([&] {
    auto insertion = connection_->statement(
        "INSERT INTO adjustment (student, lab, points, reason, author, at, bonus, last_attempt, "
        "late_days) VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM attempt), ?)",
        adjustment.student, adjustment.lab, adjustment.points, adjustment.reason, adjustment.author,
        adjustment.at, adjustment.bonus);
    if (adjustment.late_days) insertion.bind(8, *adjustment.late_days);
    insertion.exec();
    connection_->statement(kKeepGrades, connection_->last_id()).exec();
  });
}

std::vector<BookAdjustment> Book::adjustments() const {
  std::vector<BookAdjustment> adjustments;
  connection_->snapshot([&] {
    auto grades = grades_of_adjustments(*connection_);
    adjustments = connection_->list(
        connection_->statement(
            "SELECT id, student, lab, points, reason, author, at, late_days, bonus, last_attempt "
            "FROM adjustment ORDER BY id"),
        [](Row& row) {
          return BookAdjustment{.id = row.whole(),
                                .student = row.whole(),
                                .lab = row.text(),
                                .points = row.number(),
                                .reason = row.text(),
                                .author = row.text(),
                                .at = row.text(),
                                .late_days = row.number_if_any(),
                                .bonus = row.flag(),
                                .last_attempt = row.whole(),
                                .grades = {}};
        });
    for (BookAdjustment& adjustment : adjustments)
      adjustment.grades = std::move(grades[adjustment.id]);
  });
  return adjustments;
}

void Book::transaction(const std::function<void()>& work) {
  connection_->write(work);
}

void Book::snapshot(const std::function<void()>& work) const {
  connection_->snapshot(work);
}

}  // namespace tessera
