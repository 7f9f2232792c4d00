// The class list: who is who.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/intake/intake.h"

namespace tessera {

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
  /// id, and last by name ("Doe, Jane", "Jane Doe" and Canvas' "doejane" are one), each only where
  /// it is unique; letter case aside. One of the same name with another of these keys is somebody
  /// else. What the roster leaves empty is filled from `person`. Nothing where the roster does not
  /// know them.
  std::optional<Identity> find(const Identity& person) const;

  /// Whether it says which participants of a Moodle assignment its people are.
  bool has_moodle_ids() const;

  const std::vector<Identity>& people() const { return people_; }

 private:
  std::vector<Identity> people_;
};

}  // namespace tessera
