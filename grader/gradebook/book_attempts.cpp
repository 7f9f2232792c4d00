#include <map>

#include "grader/gradebook/book.h"
#include "grader/gradebook/book_connection.h"

namespace tessera {
namespace {

BookAttempt attempt_of(Row& row) {
  return {.id = row.whole(),
          .lab = row.text(),
          .students = {},
          .sha256 = row.text(),
          .problem = row.text(),
          .origin = row.text(),
          .feedback_name = row.text(),
          .submitted_at = row.text(),
          .late = row.flag(),
          .number = static_cast<int>(row.whole()),
          .download = row.whole(),
          .seen = row.whole()};
}

std::optional<RowId> find(const BookConnection& book, const BookAttempt& attempt) {
  auto known = book.statement(
      "SELECT id FROM attempt "
      "WHERE origin = ?1 AND lab = ?2 AND ifnull(sha256, '') = ?3 AND problem = ?4 "
      "AND (submitted_at = ?5 OR submitted_at = '' OR ?5 = '') ORDER BY submitted_at <> ?5, seen "
      "DESC",
      attempt.origin, attempt.lab, attempt.sha256, attempt.problem, attempt.submitted_at);
  if (!known.executeStep()) return std::nullopt;
  return Row(known).whole();
}

void insert_source(BookConnection& book, const std::string& sha256, const std::string& source) {
  auto insertion = book.statement("INSERT OR IGNORE INTO source (sha256, content) VALUES (?, ?)");
  insertion.bind(1, sha256);
  insertion.bind(2, source.data(), static_cast<int>(source.size()));
  insertion.exec();
}

RowId insert(BookConnection& book, const BookAttempt& attempt) {
  book.statement(
          "INSERT INTO attempt (lab, sha256, problem, origin, feedback_name, submitted_at, late, "
          "number, download, seen) VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?)",
          attempt.lab, attempt.sha256, attempt.problem, attempt.origin, attempt.feedback_name,
          attempt.submitted_at, attempt.late, attempt.number, book.download(), book.next_seen())
      .exec();
  return book.last_id();
}

void see_again(BookConnection& book, RowId attempt) {
  book.statement("UPDATE attempt SET download = ?, seen = ? WHERE id = ?", book.download(),
                 book.next_seen(), attempt)
      .exec();
}

void add_students(BookConnection& book, RowId attempt, const std::vector<RowId>& students) {
  for (const RowId student : students) {
    book.statement("INSERT OR IGNORE INTO attempt_student (attempt, student) VALUES (?, ?)",
                   attempt, student)
        .exec();
  }
}

std::map<RowId, std::vector<RowId>> students_of_attempts(const BookConnection& book) {
  std::map<RowId, std::vector<RowId>> students;
  auto rows = book.statement("SELECT attempt, student FROM attempt_student");
  while (rows.executeStep()) {
    Row row(rows);
    const RowId attempt = row.whole();
    students[attempt].push_back(row.whole());
  }
  return students;
}

}  // namespace

bool Book::add_attempt(const BookAttempt& attempt, const std::string& source) {
  bool added = false;
  connection_->write([&] {
    std::optional<RowId> id = find(*connection_, attempt);
    added = !id;
    if (id) {
      see_again(*connection_, *id);
    } else {
      if (!attempt.sha256.empty()) insert_source(*connection_, attempt.sha256, source);
      id = insert(*connection_, attempt);
    }
    add_students(*connection_, *id, attempt.students);
  });
  return added;
}

std::vector<BookAttempt> Book::attempts() const {
  std::vector<BookAttempt> attempts;
  connection_->snapshot([&] {
    auto students = students_of_attempts(*connection_);
    attempts = connection_->list(
        connection_->statement(
            "SELECT id, lab, ifnull(sha256, ''), problem, origin, feedback_name, submitted_at, "
            "late, number, download, seen FROM attempt ORDER BY id"),
        attempt_of);
    for (BookAttempt& attempt : attempts) attempt.students = std::move(students[attempt.id]);
  });
  return attempts;
}

std::optional<std::string> Book::source(const std::string& sha256) const {
  std::optional<std::string> source;
  connection_->read([&] {
    auto found = connection_->statement("SELECT content FROM source WHERE sha256 = ?", sha256);
    if (found.executeStep()) source = Row(found).text();
  });
  return source;
}

std::map<std::string, std::string> Book::source_keys(int version) const {
  std::map<std::string, std::string> keys;
  connection_->read([&] {
    auto rows =
        connection_->statement("SELECT sha256, key FROM source_key WHERE version = ?", version);
    while (rows.executeStep()) {
      Row row(rows);
      std::string sha256 = row.text();
      keys.emplace(std::move(sha256), row.text());
    }
  });
  return keys;
}

void Book::set_source_keys(int version, const std::map<std::string, std::string>& keys) {
  connection_->write([&] {
    for (const auto& [sha256, key] : keys) {
      connection_
          ->statement("INSERT OR REPLACE INTO source_key (sha256, version, key) VALUES (?, ?, ?)",
                      sha256, version, key)
          .exec();
    }
  });
}

}  // namespace tessera
