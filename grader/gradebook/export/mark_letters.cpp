#include "grader/gradebook/export/mark_letters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tessera {
namespace {

struct Marker {
  char letter;
  std::string_view meaning;
  bool (*applies)(const Mark&);
};

/// Markers in place of a number, and after one.
constexpr std::array kStates = {
    Marker{'-', "nothing handed in; counts 0 in the total",
           [](const Mark& mark) { return mark.state == MarkState::missing; }},
    Marker{'?', "waiting to be graded; left out of the total",
           [](const Mark& mark) { return mark.state == MarkState::waiting; }},
    Marker{'!', "infra: the grader failed, grade again; left out of the total",
           [](const Mark& mark) { return mark.state == MarkState::infra; }},
};
constexpr std::array kMarkers = {
    Marker{'L', "late", [](const Mark& mark) { return mark.late && !mark.penalty_unknown; }},
    Marker{'U', "late by an unknown time: no penalty taken; `gradebook adjust --late-days` sets it",
           [](const Mark& mark) { return mark.penalty_unknown; }},
    Marker{'S', "stale: graded under an older version of the lab",
           [](const Mark& mark) { return mark.stale; }},
    Marker{'D', "deferred: points that could not be measured; left out of the total",
           [](const Mark& mark) { return mark.deferred > 0; }},
    Marker{'R', "review: a GPU or a person has to judge points; they count 0 until then",
           [](const Mark& mark) { return mark.needs_review(); }},
    Marker{'H', "changed by hand", [](const Mark& mark) { return mark.changed_by_hand(); }},
    Marker{'X', "ungradable: handed in, but nothing that can be graded",
           [](const Mark& mark) { return mark.state == MarkState::ungradable; }},
};

}  // namespace

std::string mark_number(const Mark& mark) {
  if (mark.has_score()) return fmt::format("{:.1f}", mark.score);
  const auto state =
      std::ranges::find_if(kStates, [&](const Marker& marker) { return marker.applies(mark); });
  return {state->letter};
}

std::string mark_letters(const Mark& mark) {
  std::string letters;
  for (const Marker& marker : kMarkers) {
    if (marker.applies(mark)) letters += marker.letter;
  }
  return letters;
}

std::vector<std::pair<char, std::string_view>> letters_of(const std::vector<Mark>& marks) {
  std::vector<std::pair<char, std::string_view>> letters;
  const auto add = [&](const Marker& marker, bool instead_of_number) {
    const bool used = std::ranges::any_of(marks, [&](const Mark& mark) {
      return marker.applies(mark) && !(instead_of_number && mark.has_score());
    });
    if (used) letters.emplace_back(marker.letter, marker.meaning);
  };
  for (const Marker& state : kStates) add(state, true);
  for (const Marker& marker : kMarkers) add(marker, false);
  return letters;
}

}  // namespace tessera
