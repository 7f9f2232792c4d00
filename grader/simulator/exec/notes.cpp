#include "grader/simulator/exec/notes.h"

#include <algorithm>

namespace tessera::sim {

/// A note that a note of `kind` may replace: it is no error, or of a kind that has very many notes.
FindingNote* Notes::spare_note(FindingKind kind) {
  const auto first = [&](const auto& is_spare) -> FindingNote* {
    const auto found = std::ranges::find_if(notes_, is_spare);
    return found == notes_.end() ? nullptr : &*found;
  };
  if (FindingNote* const remark =
          first([](const FindingNote& note) { return note.severity != Severity::error; }))
    return remark;
  if (of_kind_[kind] > kMostOfEachKind) return nullptr;
  return first([&](const FindingNote& note) {
    return of_kind_[note.key.kind] > kMost / (2 * kAllFindingKinds.size());
  });
}

FindingNote& Notes::note_for(const FindingKey& key, std::uint64_t block, bool& fresh) {
  if (last_ < notes_.size() && notes_[last_].key == key) return notes_[last_];
  if (const auto known = at_.find(key); known != at_.end()) {
    last_ = known->second;
    return notes_[last_];
  }
  fresh = true;
  FindingNote note;
  note.key = key;
  note.block = block;
  ++of_kind_[key.kind];
  if (notes_.size() == kMost) {
    FindingNote* const spare = spare_note(key.kind);
    if (spare == nullptr) {
      --of_kind_[key.kind];
      return beyond_most_ = std::move(note);
    }
    --of_kind_[spare->key.kind];
    at_.erase(spare->key);
    at_.emplace(key, static_cast<std::size_t>(spare - notes_.data()));
    return *spare = std::move(note);
  }
  at_.emplace(key, notes_.size());
  notes_.push_back(std::move(note));
  return notes_.back();
}

}  // namespace tessera::sim
