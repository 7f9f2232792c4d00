#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "common/text.h"
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

constexpr std::string_view kOnRoster = "on-roster-";

std::string roster_setting(RowId student) {
  return std::string(kOnRoster) + std::to_string(student);
}

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
                       .group = row.text()},
          .on_roster = false};
}

/// The key's value; "" for a placeholder such as "n/a" in place of an email.
std::string value_of(const Identity& person, const Key& key) {
  const std::string& value = person.*key.field;
  const bool placeholder =
      key.field == &Identity::email && value.find('@') == value.npos && !person.name.empty();
  return placeholder ? "" : value;
}

bool has_key(const Identity& person) {
  return std::ranges::any_of(kKeys, [&](const Key& key) { return !value_of(person, key).empty(); });
}

bool differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && lower_case(a) != lower_case(b);
}

bool are_two_people(const Identity& first, const Identity& second) {
  // Canvas draws new numbers for every assignment that is graded anonymously.
  const bool anonymous =
      first.canvas_id.starts_with("anon_") || second.canvas_id.starts_with("anon_");
  return differ(first.sis_id, second.sis_id) ||
         (!anonymous && differ(first.canvas_id, second.canvas_id));
}

/// Whether the two, who have the same name, may be one person: if both had a key, it would be the
/// same one.
bool may_be_one(const Identity& known, const Identity& person) {
  const int with_key = int{has_key(known)} + int{has_key(person)};
  return with_key < 2 && !differ(known.moodle_id, person.moodle_id);
}

/// The only one of `students` for whom `is_meant` holds.
template <class IsMeant>
std::optional<BookStudent> only_one(const std::vector<BookStudent>& students,
                                    const IsMeant& is_meant) {
  const auto meant = [&](const BookStudent& student) { return is_meant(student.identity); };
  const auto found = std::ranges::find_if(students, meant);
  if (found == students.end() || std::any_of(found + 1, students.end(), meant)) return std::nullopt;
  return *found;
}

std::optional<BookStudent> find_by_key(const BookConnection& book, const Identity& person,
                                       const Key& key) {
  const std::string value = value_of(person, key);
  if (value.empty()) return std::nullopt;
  const std::string query = fmt::format("{} WHERE {} = ? ORDER BY id", kSelect, key.column);
  auto known = book.list(book.statement(query.c_str(), value), student_of);
  std::erase_if(
      known, [&](const BookStudent& student) { return are_two_people(student.identity, person); });
  if (known.size() == 1) return known.front();
  return only_one(known, [&](const Identity& other) { return other.name == person.name; });
}

std::optional<BookStudent> find_by_name(const BookConnection& book, const Identity& person,
                                        NameMatch by_name) {
  const std::string query = fmt::format("{} WHERE name = ? ORDER BY id", kSelect);
  auto known = book.list(book.statement(query.c_str(), person.name), student_of);
  std::erase_if(known,
                [&](const BookStudent& student) { return !may_be_one(student.identity, person); });
  if (!person.moodle_id.empty()) {
    const auto same_number = [&](const Identity& other) {
      return other.moodle_id == person.moodle_id;
    };
    if (const auto numbered = only_one(known, same_number)) return numbered;
  }
  if (by_name == NameMatch::never) return std::nullopt;
  if (known.size() == 1 && !person.name.empty()) return known.front();
  const auto is_bare = [](const Identity& other) {
    return !has_key(other) && other.moodle_id.empty();
  };
  return is_bare(person) ? only_one(known, is_bare) : std::nullopt;
}

std::optional<BookStudent> find(const BookConnection& book, const Identity& person,
                                NameMatch by_name) {
  for (const Key& key : kKeys) {
    if (auto student = find_by_key(book, person, key)) return student;
  }
  return find_by_name(book, person, by_name);
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
    const std::string& given = person.*field;
    news |= known.empty() && !given.empty();
    update.bind(++index, known.empty() ? given : known);
  }
  update.bind(++index, student.id);
  if (news) update.exec();
}

}  // namespace

RowId Book::add_student(const Identity& person, NameMatch by_name) {
  RowId id = 0;
  connection_->write([&] {
    const std::optional<BookStudent> student = find(*connection_, person, by_name);
    if (student) fill(*connection_, *student, person);
    id = student ? student->id : insert(*connection_, person);
  });
  return id;
}

void Book::set_on_roster(RowId student) {
  setting(roster_setting(student), "yes");
}

std::vector<BookStudent> Book::students() const {
  std::vector<BookStudent> students;
  std::vector<std::string> settings;
  connection_->read([&] {
    settings = connection_->list(
        connection_->statement("SELECT name FROM setting WHERE name LIKE ? ORDER BY name",
                               std::string(kOnRoster) + "%"),
        [](Row& row) { return row.text(); });
    const std::string query = fmt::format("{} ORDER BY name COLLATE NOCASE, id", kSelect);
    students = connection_->list(connection_->statement(query.c_str()), student_of);
  });
  const std::set<std::string> on_roster(settings.begin(), settings.end());
  for (BookStudent& student : students)
    student.on_roster = on_roster.contains(roster_setting(student.id));
  return students;
}

}  // namespace tessera
