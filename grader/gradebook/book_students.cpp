#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/gradebook/book.h"
#include "grader/gradebook/book_connection.h"

namespace tessera {
namespace {

constexpr const char* kSelect =
    "SELECT id, name, email, login, sis_id, canvas_id, moodle_id, github, section, group_name "
    "FROM student";

constexpr std::array kFields = {&Identity::name,   &Identity::email,     &Identity::login,
                                &Identity::sis_id, &Identity::canvas_id, &Identity::moodle_id,
                                &Identity::github, &Identity::section,   &Identity::group};

/// What identifies a person, the surest first.
struct Key {
  const char* column;
  std::string Identity::*field;
};
constexpr std::array kKeys = {Key{"canvas_id", &Identity::canvas_id},
                              Key{"sis_id", &Identity::sis_id}, Key{"email", &Identity::email},
                              Key{"login", &Identity::login}, Key{"github", &Identity::github}};

BookStudent student_of(Row& row) {
  return {.id = row.whole(),
          .identity = {.name = row.text(),
                       .email = row.text(),
                       .login = row.text(),
                       .sis_id = row.text(),
                       .canvas_id = row.text(),
                       .moodle_id = row.text(),
                       .github = row.text(),
                       .section = row.text(),
                       .group = row.text()}};
}

bool has_key(const Identity& person) {
  return std::ranges::any_of(kKeys, [&](const Key& key) { return !(person.*key.field).empty(); });
}

bool are_two_people(const Identity& one, const Identity& other) {
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  // Canvas draws new numbers for every assignment that is graded anonymously.
  const bool anonymous = one.canvas_id.starts_with("anon_") || other.canvas_id.starts_with("anon_");
  return one.name != other.name && (differ(one.sis_id, other.sis_id) ||
                                    (!anonymous && differ(one.canvas_id, other.canvas_id)));
}

bool share_a_name(const Identity& known, const Identity& person) {
  if (known.name != person.name) return false;
  const int with_key = int{has_key(known)} + int{has_key(person)};
  return with_key == 0 || (with_key == 1 && !person.name.empty());
}

std::optional<BookStudent> find_by_key(const BookConnection& book, const Identity& person,
                                       const Key& key) {
  const std::string& value = person.*key.field;
  if (value.empty()) return std::nullopt;
  const std::string query = fmt::format("{} WHERE {} = ? ORDER BY id", kSelect, key.column);
  auto known = book.list(book.statement(query.c_str(), value), student_of);
  std::erase_if(
      known, [&](const BookStudent& student) { return are_two_people(student.identity, person); });
  if (known.size() == 1) return known.front();
  const auto same = std::ranges::find_if(
      known, [&](const BookStudent& student) { return student.identity.name == person.name; });
  return same == known.end() ? std::nullopt : std::optional(*same);
}

std::optional<BookStudent> find_by_name(const BookConnection& book, const Identity& person) {
  const std::string query = fmt::format("{} WHERE name = ? ORDER BY id", kSelect);
  const auto known = book.list(book.statement(query.c_str(), person.name), student_of);
  const auto same = std::ranges::find_if(
      known, [&](const BookStudent& student) { return share_a_name(student.identity, person); });
  return same == known.end() ? std::nullopt : std::optional(*same);
}

std::optional<BookStudent> find(const BookConnection& book, const Identity& person) {
  for (const Key& key : kKeys) {
    if (auto student = find_by_key(book, person, key)) return student;
  }
  return find_by_name(book, person);
}

RowId insert(BookConnection& book, const Identity& person) {
  auto insertion = book.statement(
      "INSERT INTO student (name, email, login, sis_id, canvas_id, moodle_id, github, section, "
      "group_name) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int index = 0;
  for (const auto field : kFields) insertion.bind(++index, person.*field);
  insertion.exec();
  return book.last_id();
}

void fill(BookConnection& book, const BookStudent& student, const Identity& person) {
  bool news = false;
  auto update = book.statement(
      "UPDATE student SET name = ?, email = ?, login = ?, sis_id = ?, canvas_id = ?, "
      "moodle_id = ?, github = ?, section = ?, group_name = ? WHERE id = ?");
  int index = 0;
  for (const auto field : kFields) {
    const std::string& known = student.identity.*field;
    const std::string& told = person.*field;
    news |= known.empty() && !told.empty();
    update.bind(++index, known.empty() ? told : known);
  }
  update.bind(++index, student.id);
  if (news) update.exec();
}

}  // namespace

RowId Book::add_student(const Identity& person) {
  RowId id = 0;
  connection_->write([&] {
    const std::optional<BookStudent> student = find(*connection_, person);
    if (student) fill(*connection_, *student, person);
    id = student ? student->id : insert(*connection_, person);
  });
  return id;
}

std::vector<BookStudent> Book::students() const {
  std::vector<BookStudent> students;
  connection_->read([&] {
    const std::string query = fmt::format("{} ORDER BY name COLLATE NOCASE, id", kSelect);
    students = connection_->list(connection_->statement(query.c_str()), student_of);
  });
  return students;
}

}  // namespace tessera
