// What tests of the gradebook write into it.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/temporary_directory.h"
#include "grader/gradebook/book.h"

namespace tessera {

/// The book in `file`, created if there is none.
inline Book opened(const std::filesystem::path& file, Book::Mode mode = Book::Mode::create) {
  Expected<Book> book = Book::open(file, mode);
  if (!book) throw std::runtime_error(book.error().str());
  return std::move(*book);
}

/// An Identity of which a test names some fields.
struct Person {
  std::string name = "";
  std::string email = "";
  std::string login = "";
  std::string sis_id = "";
  std::string canvas_id = "";
  std::string moodle_id = "";
  std::string github = "";
  std::string section = "";
  std::string group = "";

  operator Identity() const {
    return {name, email, login, sis_id, canvas_id, moodle_id, github, section, group};
  }
};

inline BookAssignment assignment(const std::string& lab, const std::string& lab_hash) {
  return {.lab = lab, .title = "Title of " + lab, .max_points = 100, .lab_hash = lab_hash};
}

/// An attempt whose origin is "<sha256>.cu".
inline BookAttempt attempt(const std::string& lab, const std::vector<RowId>& students,
                           const std::string& sha256, const std::string& submitted_at = "") {
  BookAttempt attempt;
  attempt.lab = lab;
  attempt.students = students;
  attempt.sha256 = sha256;
  attempt.origin = sha256 + ".cu";
  attempt.submitted_at = submitted_at;
  return attempt;
}

inline BookAttempt problem(const std::string& lab, const std::vector<RowId>& students,
                           const std::string& text) {
  BookAttempt problem = attempt(lab, students, "");
  problem.problem = text;
  return problem;
}

inline BookResult result(const std::string& lab, const std::string& sha256,
                         const std::string& lab_hash, double score) {
  BookResult result;
  result.lab = lab;
  result.sha256 = sha256;
  result.lab_hash = lab_hash;
  result.score = score;
  result.max_score = 100;
  result.record = R"({"score": )" + std::to_string(score) + "}";
  return result;
}

inline BookResult infra(const std::string& lab, const std::string& sha256,
                        const std::string& lab_hash) {
  BookResult infra = result(lab, sha256, lab_hash, 0);
  infra.infra = true;
  return infra;
}

/// A new book in a folder of its own.
class BookTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "book.db"; }

  TemporaryDirectory folder_;
  Book book_ = opened(file());
};

}  // namespace tessera
