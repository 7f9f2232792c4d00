#include "grader/gradebook/display_name.h"

namespace tessera {

std::string display_name(const Identity& person) {
  for (const std::string* known : {&person.name, &person.login, &person.email, &person.sis_id,
                                   &person.github, &person.canvas_id, &person.moodle_id}) {
    if (!known->empty()) return *known;
  }
  return "";
}

}  // namespace tessera
