#include "grader/gradebook/intake/roster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/gradebook/intake/csv.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

using Field = std::string Identity::*;

struct Key {
  Field field = nullptr;
  std::string_view what;
};

/// What identifies a person, the strongest first.
constexpr std::array<Key, 6> kKeys = {{{&Identity::canvas_id, "Canvas id"},
                                       {&Identity::sis_id, "school's number"},
                                       {&Identity::email, "email"},
                                       {&Identity::login, "login"},
                                       {&Identity::github, "GitHub name"},
                                       {&Identity::moodle_id, "Moodle id"}}};

constexpr std::array<Field, 9> kFields = {
    &Identity::name,   &Identity::email,     &Identity::login,
    &Identity::sis_id, &Identity::canvas_id, &Identity::moodle_id,
    &Identity::github, &Identity::section,   &Identity::group};

/// A row of the file: a person whose name may stand in two cells.
struct RosterRow {
  Identity identity;
  std::string first_name;
  std::string last_name;
};

/// The field that a column fills.
using Cell = std::string& (*)(RosterRow&);

template <Field kField>
std::string& cell_of(RosterRow& row) {
  return row.identity.*kField;
}

std::string& first_name_of(RosterRow& row) {
  return row.first_name;
}

std::string& last_name_of(RosterRow& row) {
  return row.last_name;
}

const std::map<std::string, Cell>& columns() {
  static const std::map<std::string, Cell> known = {
      {"name", cell_of<&Identity::name>},
      {"student", cell_of<&Identity::name>},
      {"fullname", cell_of<&Identity::name>},
      {"firstname", first_name_of},
      {"givenname", first_name_of},
      {"lastname", last_name_of},
      {"surname", last_name_of},
      {"familyname", last_name_of},
      {"email", cell_of<&Identity::email>},
      {"emailaddress", cell_of<&Identity::email>},
      {"login", cell_of<&Identity::login>},
      {"sisloginid", cell_of<&Identity::login>},
      {"username", cell_of<&Identity::login>},
      {"sisid", cell_of<&Identity::sis_id>},
      {"sisuserid", cell_of<&Identity::sis_id>},
      {"idnumber", cell_of<&Identity::sis_id>},
      {"sid", cell_of<&Identity::sis_id>},
      {"studentid", cell_of<&Identity::sis_id>},
      {"canvasid", cell_of<&Identity::canvas_id>},
      {"id", cell_of<&Identity::canvas_id>},
      {"moodleid", cell_of<&Identity::moodle_id>},
      {"identifier", cell_of<&Identity::moodle_id>},
      {"participant", cell_of<&Identity::moodle_id>},
      {"participantid", cell_of<&Identity::moodle_id>},
      {"participantnumber", cell_of<&Identity::moodle_id>},
      {"github", cell_of<&Identity::github>},
      {"githubusername", cell_of<&Identity::github>},
      {"section", cell_of<&Identity::section>},
      {"group", cell_of<&Identity::group>},
  };
  return known;
}

std::string column_name(std::string_view heading) {
  constexpr std::string_view kAside = " \t\r\n_-";
  std::string name = folded(heading);
  std::erase_if(name, [&](char letter) { return kAside.find(letter) != kAside.npos; });
  return name;
}

/// "17" of Moodle's "Participant 17", or of the word for it in another language.
std::string participant_number(const std::string& cell) {
  const std::size_t start = cell.find_last_not_of("0123456789") + 1;
  return start < cell.size() ? cell.substr(start) : cell;
}

Identity identity_of(RosterRow row) {
  Identity identity = std::move(row.identity);
  identity.moodle_id = participant_number(identity.moodle_id);
  if (identity.name.empty()) identity.name = trimmed(row.first_name + " " + row.last_name);
  return identity;
}

bool has_key(const Identity& identity) {
  return std::ranges::any_of(kKeys, [&](const Key& key) { return !(identity.*key.field).empty(); });
}

/// Canvas puts the points of each assignment under the heading, in the column of students' names.
bool is_person(const Identity& identity) {
  return has_key(identity) || (!identity.name.empty() && identity.name != "Points Possible");
}

enum class Punctuation { dropped, kept };

/// The words of a name for comparing: in lower case, without commas.
std::vector<std::string> name_words(std::string_view name, Punctuation punctuation) {
  std::vector<std::string> words(1);
  for (const char letter : folded(visible_name(name))) {
    const bool blank = letter == ' ' || letter == ',' || letter == '\t';
    const bool kept = (letter & 0x80) != 0 || punctuation == Punctuation::kept ||
                      std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (blank && !words.back().empty()) words.emplace_back();
    if (kept && !blank) words.back() += letter;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The words joined in every rotation of their order.
std::set<std::string> rotations(std::vector<std::string> words, std::string_view between) {
  std::set<std::string> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string text;
    for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
    all.insert(text);
    std::rotate(words.begin(), words.begin() + 1, words.end());
  }
  return all;
}

/// "jane doe" of "Jane Doe" and of "Doe, Jane".
std::string plain_name(const std::string& name) {
  const std::size_t comma = std::min(name.find(','), name.size());
  const std::string turned = name.substr(comma) + " " + name.substr(0, comma);
  std::string plain;
  for (const std::string& word : name_words(turned, Punctuation::kept))
    plain.append(plain.empty() ? "" : " ").append(word);
  return plain;
}

/// Whether `name` is `known` in another order of its words, or as Canvas squeezes names:
/// "doejane".
bool is_rewritten(const std::string& name, const std::string& known) {
  const std::vector<std::string> words = name_words(name, Punctuation::kept);
  const bool squeezed = words.size() == 1 && words == name_words(name, Punctuation::dropped);
  return squeezed || rotations(words, " ").contains(plain_name(known));
}

/// Whether the value identifies a person: Canvas draws new numbers for every assignment that is
/// graded anonymously, and class lists have "n/a" in place of an email.
bool identifies(const Key& key, const std::string& value) {
  const bool placeholder = key.field == &Identity::email && value.find('@') == value.npos;
  return !value.empty() && !value.starts_with("anon_") && !placeholder;
}

/// Whether both have the key, with different values.
bool differ(const Key& key, const Identity& first, const Identity& second) {
  const std::string& a = first.*key.field;
  const std::string& b = second.*key.field;
  return identifies(key, a) && identifies(key, b) && lower_case(a) != lower_case(b);
}

bool contradict(const Identity& first, const Identity& second) {
  return std::ranges::any_of(kKeys, [&](const Key& key) { return differ(key, first, second); });
}

/// Whether the two have different numbers of a kind that a system never changes.
bool are_two_people(const Identity& first, const Identity& second) {
  return std::ranges::any_of(kKeys, [&](const Key& key) {
    const bool number = key.field == &Identity::canvas_id || key.field == &Identity::sis_id;
    return number && differ(key, first, second);
  });
}

/// Reads rows under a heading and checks that no key comes twice.
class RosterReader {
 public:
  RosterReader(const CsvRow& heading, std::string file) : file_(std::move(file)) {
    for (const std::string& cell : heading.cells) {
      const auto known = columns().find(column_name(cell));
      cells_.push_back(known == columns().end() ? nullptr : known->second);
    }
  }

  /// Whether some column identifies people.
  bool identifies() const {
    RosterRow row;
    for (const Cell cell : cells_) {
      if (cell != nullptr) cell(row) = "x";
    }
    return has_key(row.identity) || !identity_of(row).name.empty();
  }

  std::optional<Error> add(const CsvRow& row) {
    RosterRow person;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string value = utf8_name(trimmed(row.cells[i]));
      if (i >= cells_.size() && !value.empty()) return too_many_cells(row);
      if (i >= cells_.size() || cells_[i] == nullptr) continue;
      std::string& cell = cells_[i](person);
      if (cell.empty()) cell = value;
    }
    Identity identity = identity_of(std::move(person));
    if (!is_person(identity)) return std::nullopt;
    for (const Key& key : kKeys) {
      if (auto twice = note_key(row, key, identity.*key.field)) return twice;
    }
    people_.push_back(std::move(identity));
    return std::nullopt;
  }

  std::vector<Identity> take() { return std::move(people_); }

 private:
  std::optional<Error> note_key(const CsvRow& row, const Key& key, const std::string& value) {
    if (value.empty()) return std::nullopt;
    const auto [first, added] = lines_[key.what].emplace(lower_case(value), row.line);
    if (added) return std::nullopt;
    return error(row, "the " + std::string(key.what) + " '" + printable_name(value) +
                          "' is also in line " + std::to_string(first->second) +
                          "; each person stands once");
  }

  Error too_many_cells(const CsvRow& row) const {
    return error(row, "has " + std::to_string(row.cells.size()) + " cells under a heading of " +
                          std::to_string(cells_.size()) + "; a name with a comma stands in quotes");
  }

  Error error(const CsvRow& row, std::string message) const {
    return Error{.file = file_, .line = row.line, .message = std::move(message)};
  }

  std::string file_;
  std::vector<Cell> cells_;  // by column; nullptr if it is ignored
  std::map<std::string_view, std::map<std::string, int>> lines_;
  std::vector<Identity> people_;
};

std::string headings(const CsvRow& heading) {
  std::string text;
  for (const std::string& cell : heading.cells) text += (text.empty() ? "" : ", ") + cell;
  return printable_name(text);
}

}  // namespace

std::set<std::string> name_forms(std::string_view name) {
  return rotations(name_words(name, Punctuation::dropped), "");
}

Expected<Roster> Roster::from_csv(std::string_view text, const std::string& file) {
  const Expected<std::vector<CsvRow>> rows = read_csv_rows(text, file);
  if (!rows) return rows.error();
  RosterReader reader(rows->front(), file);
  if (!reader.identifies()) {
    return Error{.file = file,
                 .line = rows->front().line,
                 .message = "no column says who is who in the heading '" + headings(rows->front()) +
                            "'; name one 'name', 'email', 'login', 'sis id', 'canvas id', "
                            "'moodle id' or 'github', with commas between columns"};
  }
  for (std::size_t i = 1; i < rows->size(); ++i) {
    if (auto error = reader.add((*rows)[i])) return *error;
  }
  Roster roster;
  roster.people_ = reader.take();
  for (std::size_t i = 0; i < roster.people_.size(); ++i) roster.add_to_indexes(i);
  return roster;
}

void Roster::add_to_indexes(std::size_t person) {
  static_assert(kKeyCount == kKeys.size());
  for (std::size_t key = 0; key < kKeys.size(); ++key) {
    const std::string value = lower_case(people_[person].*kKeys[key].field);
    if (!value.empty()) by_key_[key].emplace(value, Owner{person});
  }
  for (const std::string& form : name_forms(people_[person].name)) by_name_[form].push_back(person);
}

void Roster::learn(std::size_t index, const Identity& known) {
  for (std::size_t key = 0; key < kKeys.size(); ++key) {
    const Field field = kKeys[key].field;
    if (field == &Identity::moodle_id || !(people_[index].*field).empty()) continue;
    if (!identifies(kKeys[key], known.*field)) continue;
    if (by_key_[key]
            .emplace(lower_case(known.*field), Owner{.person = index, .claimed = true})
            .second)
      people_[index].*field = known.*field;
  }
}

const Roster::Owner* Roster::owner_of(std::size_t key, const Identity& person) const {
  const auto found = by_key_[key].find(lower_case(person.*kKeys[key].field));
  return found == by_key_[key].end() ? nullptr : &found->second;
}

std::optional<std::size_t> Roster::found_by_key(const Identity& person) const {
  for (const bool claimed : {false, true}) {
    for (std::size_t key = 0; key < kKeys.size(); ++key) {
      const Owner* owner = owner_of(key, person);
      if (owner == nullptr || owner->claimed != claimed) continue;
      if (!are_two_people(people_[owner->person], person)) return owner->person;
    }
  }
  return std::nullopt;
}

std::vector<std::size_t> Roster::called(const std::string& name) const {
  std::set<std::size_t> indexes;
  for (const std::string& form : name_forms(name)) {
    const auto found = by_name_.find(form);
    if (found != by_name_.end()) indexes.insert(found->second.begin(), found->second.end());
  }
  return {indexes.begin(), indexes.end()};
}

std::vector<std::size_t> Roster::called_for_sure(const std::string& name,
                                                 bool others_have_it) const {
  std::vector<std::size_t> all = called(name);
  std::vector<std::size_t> exact;
  for (const std::size_t person : all) {
    if (plain_name(people_[person].name) == plain_name(name)) exact.push_back(person);
  }
  if (!exact.empty()) return exact;
  const bool sure = all.size() == 1 && !others_have_it && is_rewritten(name, people_[all[0]].name);
  return sure ? all : std::vector<std::size_t>();
}

std::vector<RosterHit> Roster::contradictions(const Identity& person) const {
  std::vector<RosterHit> hits;
  std::set<std::size_t> owners;
  for (const bool claimed : {false, true}) {
    if (claimed && !owners.empty()) break;  // the list itself decides
    for (std::size_t key = 0; key < kKeys.size(); ++key) {
      const std::string& value = person.*kKeys[key].field;
      const Owner* owner = owner_of(key, person);
      if (!identifies(kKeys[key], value) || owner == nullptr || owner->claimed != claimed) continue;
      owners.insert(owner->person);
      hits.push_back({std::string(kKeys[key].what), value, people_[owner->person]});
    }
  }
  const auto is_unnamed_or_called_so = [&](std::size_t owner) {
    const std::vector<std::size_t> all = called(person.name);
    return people_[owner].name.empty() || std::ranges::count(all, owner) > 0;
  };
  if (!owners.empty() && std::ranges::none_of(owners, is_unnamed_or_called_so)) {
    for (const std::size_t other : called(person.name)) {
      owners.insert(other);
      hits.push_back({"name", person.name, people_[other]});
    }
  }
  return owners.size() > 1 ? hits : std::vector<RosterHit>();
}

void Roster::remember(const Identity& person, bool others_have_the_name) {
  const std::optional<std::size_t> index = index_of(person, others_have_the_name);
  if (!index) return;
  for (std::size_t key = 0; key < kKeys.size(); ++key) {
    const std::string& value = person.*kKeys[key].field;
    if (kKeys[key].field != &Identity::moodle_id && identifies(kKeys[key], value))
      by_key_[key].emplace(lower_case(value), Owner{.person = *index, .claimed = true});
  }
}

std::vector<Identity> Roster::namesakes(const Identity& person, bool others_have_the_name) const {
  const std::vector<std::size_t> sure = called_for_sure(person.name, others_have_the_name);
  const std::vector<std::size_t> all = sure.empty() ? called(person.name) : sure;
  const bool possible = std::ranges::any_of(
      all, [&](std::size_t index) { return !contradict(people_[index], person); });
  std::vector<Identity> people;
  if (sure.size() == 1 || !possible) return people;
  for (const std::size_t index : all) people.push_back(people_[index]);
  return people;
}

bool Roster::has_moodle_ids() const {
  return std::ranges::any_of(people_,
                             [](const Identity& person) { return !person.moodle_id.empty(); });
}

std::optional<std::size_t> Roster::index_of(const Identity& person,
                                            bool others_have_the_name) const {
  if (const auto found = found_by_key(person)) return found;
  const std::vector<std::size_t> all = called_for_sure(person.name, others_have_the_name);
  if (all.size() != 1 || contradict(people_[all.front()], person)) return std::nullopt;
  return all.front();
}

std::optional<Identity> Roster::find(const Identity& person, bool others_have_the_name) const {
  const std::optional<std::size_t> index = index_of(person, others_have_the_name);
  if (!index) return std::nullopt;
  Identity complete = people_[*index];
  for (const Field field : kFields) {
    if ((complete.*field).empty()) complete.*field = person.*field;
  }
  for (std::size_t key = 0; key < kKeys.size(); ++key) {
    const Owner* owner = owner_of(key, complete);
    if (owner != nullptr && owner->person != *index) (complete.*kKeys[key].field).clear();
  }
  return complete;
}

}  // namespace tessera
