// The class list: who is who.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// Something that says who handed in, and whose it is.
struct RosterHit {
  std::string what;   // "email", "name"
  std::string value;  // as the submission has it
  Identity owner;     // as the roster has them
};

/// Any two writings of one name share a form, and so do names that differ in punctuation alone:
/// "Doe, Jane" and "Jane Doe" -> {"doejane", "janedoe"}.
std::set<std::string> name_forms(std::string_view name);

class Roster {
 public:
  /// From CSV with a heading. Columns by name, letter case, blanks, "_" and "-" aside: name |
  /// student | full name, first name | given name, last name | surname | family name, email | email
  /// address, login | SIS login id | username, sis id | SIS user id | id number | sid | student id,
  /// canvas id | id, moodle id | identifier | participant ("17", "Participant 17"), github | github
  /// username, section, group; others are left alone, and so are rows that identify nobody (Canvas'
  /// "Points Possible"). Errors carry line and value: no column
  /// that identifies anybody, a row with more cells than the heading, the same key (all but name,
  /// section and group) twice.
  static Expected<Roster> from_csv(std::string_view text, const std::string& file);

  /// The roster's entry for `person`, by canvas id, school's number, email, login, github, Moodle
  /// id, and last by name, each only where it is unique; letter case aside. "Doe, Jane" and "Jane
  /// Doe" are one name; where `others_are_called_so` does not hold, "Doe Jane" and Canvas'
  /// "doejane" are the same too, but no name that differs in punctuation. Two with different Canvas
  /// ids or school's numbers are two people, whatever else they share, and one of the same name
  /// with another of any of these keys is somebody else. What the roster leaves empty is filled
  /// from `person`, but for keys that are somebody else's. Nothing where the roster does not know
  /// them.
  std::optional<Identity> find(const Identity& person, bool others_are_called_so = false) const;

  /// What `person` is known by, where that is of different people: every key that is somebody's,
  /// and the name where it is somebody's and of nobody whom the keys tell. Else nothing: a name
  /// that is only spelled otherwise contradicts no key, and neither does one of remember() or
  /// learn() where the list itself says who it is.
  std::vector<RosterHit> contradictions(const Identity& person) const;

  /// Keys of `person`, whom find() knows, that are nobody's so far are theirs from now on; but for
  /// Moodle's numbers, which are of one assignment.
  void remember(const Identity& person, bool others_are_called_so = false);

  /// Everybody who has the name of `person`, in whatever writing and punctuation, where find() does
  /// not know which of them `person` is and may be one of them; else nobody.
  std::vector<Identity> namesakes(const Identity& person, bool others_are_called_so = false) const;

  /// Fills what the roster leaves empty of people()[index] with what else is known of them, so that
  /// find() tells them from others of the name; but for Moodle's numbers, which are of one
  /// assignment.
  void learn(std::size_t index, const Identity& known);

  /// Whether it says which participants of a Moodle assignment its people are.
  bool has_moodle_ids() const;

  const std::vector<Identity>& people() const { return people_; }

 private:
  static constexpr std::size_t kKeyCount = 6;
  struct Owner {
    std::size_t person = 0;  // index into people_
    bool claimed = false;    // by a submission, not in the list: it may be what somebody typed
  };
  using Index = std::unordered_map<std::string, Owner>;

  void add_to_indexes(std::size_t person);
  std::optional<std::size_t> index_of(const Identity& person, bool others_are_called_so) const;
  /// Whose that key of `person` is; nullptr: nobody's.
  const Owner* owner_of(std::size_t key, const Identity& person) const;
  std::optional<std::size_t> found_by_key(const Identity& person) const;
  std::vector<std::size_t> called(const std::string& name) const;
  std::vector<std::size_t> called_for_sure(const std::string& name, bool others_are) const;

  std::vector<Identity> people_;
  std::array<Index, kKeyCount> by_key_;                                // values in lower case
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  // form of the name
};

}  // namespace tessera
