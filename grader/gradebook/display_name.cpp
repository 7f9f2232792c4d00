#include "grader/gradebook/display_name.h"

#include "grader/gradebook/intake/names.h"

namespace tessera {

std::string display_name(const Identity& person) {
  for (const std::string* known : {&person.name, &person.login, &person.email, &person.sis_id,
                                   &person.github, &person.canvas_id, &person.moodle_id}) {
    if (!known->empty()) return visible_name(*known);
  }
  return "";
}

std::string distinct_name(const Identity& person) {
  const std::string name = display_name(person);
  for (const std::string* known : {&person.email, &person.sis_id, &person.login, &person.github,
                                   &person.canvas_id, &person.moodle_id}) {
    if (!known->empty() && *known != name) return name + " (" + *known + ")";
  }
  return name;
}

}  // namespace tessera
