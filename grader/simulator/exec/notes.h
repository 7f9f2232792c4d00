// The notes that a worker takes for findings: one for each cause and place that it has seen.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/finding.h"
#include "grader/simulator/check/bounds_text.h"
#include "grader/simulator/check/copy_text.h"
#include "grader/simulator/check/product_text.h"
#include "grader/simulator/check/race_text.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// What makes two events the same note.
struct FindingKey {
  FindingKind kind = FindingKind::out_of_bounds;
  const Function* function = nullptr;
  std::uint32_t source = 0;       // index into the function's locations
  std::string subject;            // variable or buffer
  std::uint32_t other = kNoSite;  // memory instruction: a race's other access, a copy, a product
  RaceScope scope = RaceScope::block;  // of a race

  auto operator<=>(const FindingKey&) const = default;
};

/// A finding as one worker saw it; the launch merges them, the lowest block's example first.
struct FindingNote {
  FindingKey key;
  Severity severity = Severity::error;
  Text message;
  Text hint;
  std::uint64_t count = 0;
  std::uint64_t block = 0;  // where it was first seen
  std::vector<std::pair<std::string, std::string>> example;
  std::optional<Outside> outside;  // of an access outside of an array: what decides the hint
  /// In place of message, hint and example. `second` is at key.source, `first` at key.other; their
  /// lines are not yet known.
  std::optional<Race> race;
  /// In place of message and hint. The copy began at key.other.
  std::optional<UnfinishedCopy> unfinished;
  /// Likewise. The product began at key.other; for a store without a fence, the store is there.
  std::optional<ProductMeeting> product;
};

/// The notes of one worker, a limited number of them: a kernel may make mistakes without end.
class Notes {
 public:
  /// The note with that key. If there is none, a new one of `block`; `fresh` becomes true, and the
  /// caller fills it.
  FindingNote& note_for(const FindingKey& key, std::uint64_t block, bool& fresh);

  const std::vector<FindingNote>& all() const { return notes_; }

 private:
  static constexpr std::size_t kMost = 4096;          // beyond them notes say nothing new
  static constexpr std::size_t kMostOfEachKind = 16;  // have room, however many others there are

  FindingNote* spare_note(FindingKind kind);

  std::vector<FindingNote> notes_;
  std::map<FindingKey, std::size_t> at_;  // in `notes_`
  std::size_t last_ = 0;                  // the lanes of an access mostly have one note
  std::map<FindingKind, std::size_t> of_kind_;
  FindingNote beyond_most_;  // stands in for those that are not kept
};

}  // namespace tessera::sim
