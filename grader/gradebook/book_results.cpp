#include <fmt/format.h>

#include <stdexcept>

#include "grader/gradebook/book.h"
#include "grader/gradebook/book_connection.h"

namespace tessera {
namespace {

constexpr const char* kColumns =
    "result.id, result.lab, result.sha256, lab_hash, ifnull(run, 0), score, max_score, deferred, "
    "review, awaits_gpu, infra, shared_from, ended_at";

/// A row of kColumns and, if asked for, the record.
BookResult result_of(Row& row, bool with_record) {
  BookResult result;
  result.id = row.whole();
  result.lab = row.text();
  result.sha256 = row.text();
  result.lab_hash = row.text();
  result.run = row.whole();
  result.score = row.number();
  result.max_score = row.number();
  result.deferred = row.number();
  result.review = row.number();
  result.awaits_gpu = row.flag();
  result.infra = row.flag();
  result.shared_from = row.text();
  result.ended_at = row.text();
  if (with_record) result.record = row.text();
  return result;
}

/// What decides whether a result is replaced by a new one.
struct Standing {
  RowId id = 0;
  bool infra = false;
  double deferred = 0;
  bool awaits_gpu = false;

  bool gives_way_to(const BookResult& result) const {
    if (infra || result.infra) return infra;
    return result.deferred < deferred || (awaits_gpu && !result.awaits_gpu);
  }
};

std::optional<Standing> standing_of(SQLite::Statement found) {
  if (!found.executeStep()) return std::nullopt;
  Row row(found);
  return Standing{
      .id = row.whole(), .infra = row.flag(), .deferred = row.number(), .awaits_gpu = row.flag()};
}

RowId insert(BookConnection& book, const BookResult& result) {
  book.statement(
          "INSERT INTO result (lab, sha256, lab_hash, run, score, max_score, deferred, "
          "review, awaits_gpu, infra, shared_from, ended_at, record) "
          "VALUES (?, ?, ?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          result.lab, result.sha256, result.lab_hash, result.run, result.score, result.max_score,
          result.deferred, result.review, result.awaits_gpu, result.infra, result.shared_from,
          result.ended_at, result.record)
      .exec();
  return book.last_id();
}

void overwrite(BookConnection& book, RowId id, const BookResult& result) {
  book.statement(
          "UPDATE result SET run = nullif(?, 0), score = ?, max_score = ?, deferred = ?, "
          "review = ?, awaits_gpu = ?, infra = ?, shared_from = ?, ended_at = ?, record = ? "
          "WHERE id = ?",
          result.run, result.score, result.max_score, result.deferred, result.review,
          result.awaits_gpu, result.infra, result.shared_from, result.ended_at, result.record, id)
      .exec();
}

void add_result(BookConnection& book, const BookResult& result) {
  const auto same =
      standing_of(book.statement("SELECT id, infra, deferred, awaits_gpu FROM result "
                                 "WHERE lab = ? AND sha256 = ? AND lab_hash = ?",
                                 result.lab, result.sha256, result.lab_hash));
  if (same && !same->gives_way_to(result)) return;
  if (same) overwrite(book, same->id, result);
  const RowId id = same ? same->id : insert(book, result);
  const auto accepted =
      standing_of(book.statement("SELECT result.id, infra, deferred, awaits_gpu FROM accepted JOIN "
                                 "result ON result.id = result "
                                 "WHERE accepted.lab = ? AND accepted.sha256 = ?",
                                 result.lab, result.sha256));
  if (accepted && !accepted->infra) return;
  book.statement("INSERT OR REPLACE INTO accepted (lab, sha256, result) VALUES (?, ?, ?)",
                 result.lab, result.sha256, id)
      .exec();
}

void accept_result(BookConnection& book, RowId id) {
  const int changed = book.statement(
                              "INSERT OR REPLACE INTO accepted (lab, sha256, result) "
                              "SELECT lab, sha256, id FROM result WHERE id = ? AND NOT infra",
                              id)
                          .exec();
  if (changed == 1) return;
  throw std::invalid_argument(
      fmt::format("result {} cannot be accepted: the book has none, or it ended infra", id));
}

}  // namespace

std::vector<Ungraded> Book::ungraded(const std::string& lab, const GradeAgain& again) const {
  constexpr const char* kQuery = R"sql(
    SELECT attempt.lab, attempt.sha256
    FROM attempt JOIN assignment ON assignment.lab = attempt.lab
    WHERE attempt.lab = ?1 AND attempt.sha256 IS NOT NULL AND problem = ''
      AND NOT EXISTS (
        SELECT 1 FROM result
        WHERE result.lab = attempt.lab AND result.sha256 = attempt.sha256
          AND result.lab_hash = assignment.lab_hash AND NOT infra
          AND (deferred = 0 OR NOT ?3) AND NOT (awaits_gpu AND ?4))
      AND (?2 OR NOT EXISTS (
        SELECT 1 FROM accepted JOIN result ON result.id = accepted.result
        WHERE accepted.lab = attempt.lab AND accepted.sha256 = attempt.sha256 AND NOT infra
          AND result.lab_hash <> assignment.lab_hash))
    GROUP BY attempt.sha256 ORDER BY min(attempt.id))sql";
  std::vector<Ungraded> ungraded;
  connection_->read([&] {
    ungraded = connection_->list(
        connection_->statement(kQuery, lab, again.stale, again.deferred, again.awaits_gpu),
        [](Row& row) { return Ungraded{.lab = row.text(), .sha256 = row.text()}; });
  });
  return ungraded;
}

void Book::add_results(const std::vector<BookResult>& results) {
  connection_->write([&] {
    for (const BookResult& result : results) add_result(*connection_, result);
  });
}

std::optional<BookResult> Book::result(const std::string& lab, const std::string& sha256) const {
  std::optional<BookResult> result;
  connection_->read([&] {
    const std::string query = fmt::format(
        "SELECT {}, record FROM accepted JOIN result ON result.id = accepted.result "
        "WHERE accepted.lab = ? AND accepted.sha256 = ?",
        kColumns);
    auto found = connection_->statement(query.c_str(), lab, sha256);
    if (!found.executeStep()) return;
    Row row(found);
    result = result_of(row, true);
  });
  return result;
}

std::vector<BookResult> Book::accepted_results() const {
  std::vector<BookResult> results;
  connection_->read([&] {
    const std::string query = fmt::format(
        "SELECT {} FROM accepted JOIN result ON result.id = accepted.result "
        "ORDER BY accepted.lab, accepted.sha256",
        kColumns);
    results = connection_->list(connection_->statement(query.c_str()),
                                [](Row& row) { return result_of(row, false); });
  });
  return results;
}

std::vector<std::pair<BookResult, BookResult>> Book::replacements(const std::string& lab) const {
  std::vector<std::pair<BookResult, BookResult>> pairs;
  connection_->snapshot([&] {
    const std::string query = fmt::format(
        "SELECT {}, record FROM result JOIN assignment USING (lab, lab_hash) "
        "JOIN accepted ON accepted.lab = result.lab AND accepted.sha256 = result.sha256 "
        "WHERE result.lab = ? AND NOT infra AND result.id <> accepted.result ORDER BY result.id",
        kColumns);
    auto fresh = connection_->list(connection_->statement(query.c_str(), lab),
                                   [](Row& row) { return result_of(row, true); });
    for (BookResult& replacement : fresh) {
      BookResult old = result(replacement.lab, replacement.sha256).value();
      pairs.emplace_back(std::move(old), std::move(replacement));
    }
  });
  return pairs;
}

void Book::accept(const std::vector<BookResult>& results) {
  connection_->write([&] {
    for (const BookResult& result : results) accept_result(*connection_, result.id);
  });
}

}  // namespace tessera
