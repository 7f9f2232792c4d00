// The class list.
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

/// Something in a submission that says who handed it in, and the person of the roster to whom it
/// belongs.
struct RosterHit {
  std::string what;   // "email", "name"
  std::string value;  // as the submission has it
  Identity owner;     // as the roster has them
};

/// Forms to compare names by. Any two spellings of one name share a form, and so do names that
/// differ only in punctuation: "Doe, Jane" and "Jane Doe" -> {"doejane", "janedoe"}.
std::set<std::string> name_forms(std::string_view name);

class Roster {
 public:
  /// From CSV with a heading. Columns by name, letter case, blanks, "_" and "-" aside: name |
  /// student | full name, first name | given name, last name | surname | family name, email | email
  /// address, login | SIS login id | username, sis id | SIS user id | id number | sid | student id,
  /// canvas id | id, moodle id | identifier | participant ("17", "Participant 17"), github | github
  /// username, section, group; others are ignored, and so are rows that identify no person (Canvas'
  /// "Points Possible"). Errors carry line and value: no column that identifies a person, a row
  /// with more cells than the heading, the same key (all but name, section and group) twice.
  static Expected<Roster> from_csv(std::string_view text, const std::string& file);

  /// The roster's entry for `person`, by canvas id, school's number, email, login, github, Moodle
  /// id, and last by name, each only if it is unique; letter case aside. "Doe, Jane" and "Jane Doe"
  /// are one name; unless `others_have_the_name`, so are "Doe Jane" and Canvas' "doejane", but no
  /// name that differs in punctuation. Different Canvas ids or school's numbers mean two people,
  /// whatever else they share, and so does the same name with another value of any of these keys.
  /// What the roster leaves empty is filled from `person`, except for keys that belong to another
  /// person. Nothing if the roster does not know them.
  std::optional<Identity> find(const Identity& person, bool others_have_the_name = false) const;

  /// What identifies `person`, if it points to different people of the roster: every key that
  /// belongs to one of them, and the name if it belongs to a person whom no key names. Else
  /// nothing: a name in another spelling contradicts no key, and neither does a key from remember()
  /// or learn() if the list itself says who it is.
  std::vector<RosterHit> contradictions(const Identity& person) const;

  /// From now on, keys of `person`, whom find() knows, belong to them unless they already belong to
  /// another person; except Moodle's numbers, which are of one assignment.
  void remember(const Identity& person, bool others_have_the_name = false);

  /// Everyone who has the name of `person`, in any spelling and punctuation, if `person` may be one
  /// of them but find() does not know which; else empty.
  std::vector<Identity> namesakes(const Identity& person, bool others_have_the_name = false) const;

  /// Fills what the roster leaves empty of people()[index] with what else is known of them, so that
  /// find() distinguishes them from others of the name; except Moodle's numbers, which are of one
  /// assignment.
  void learn(std::size_t index, const Identity& known);

  /// Whether the roster has the participant numbers of a Moodle assignment.
  bool has_moodle_ids() const;

  const std::vector<Identity>& people() const { return people_; }

 private:
  static constexpr std::size_t kKeyCount = 6;
  struct Owner {
    std::size_t person = 0;  // index into people_
    bool claimed = false;    // by a submission, not by the list: a student may have typed it
  };
  using Index = std::unordered_map<std::string, Owner>;

  void add_to_indexes(std::size_t person);
  std::optional<std::size_t> index_of(const Identity& person, bool others_have_the_name) const;
  /// To whom that key of `person` belongs; nullptr if to no one.
  const Owner* owner_of(std::size_t key, const Identity& person) const;
  std::optional<std::size_t> found_by_key(const Identity& person) const;
  std::vector<std::size_t> called(const std::string& name) const;
  std::vector<std::size_t> called_for_sure(const std::string& name, bool others_have_it) const;

  std::vector<Identity> people_;
  std::array<Index, kKeyCount> by_key_;                                // values in lower case
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  // form of the name
};

}  // namespace tessera
