// The asynchronous copies of a warp for which it has not waited, as a watcher follows them: the
// lanes of the warp count as one.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/async_copies.h"

namespace tessera::sim {

/// What a watcher knows of each copy is a T.
template <class T>
class CopiesOnTheWay {
 public:
  void begin(const T& copy) { copies_.push_back({copy, groups_, begun_++}); }

  /// Calls arrive(copy) for each copy before which fewer than `begun` had begun.
  template <class F>
  void pass_before(std::uint32_t begun, F arrive) {
    remove([&](const Copy& copy) { return copy.number < begun; }, arrive);
  }

  /// Follows an instruction that closes a group, or waits for groups; calls arrive(copy) for each
  /// copy that is waited for.
  template <class F>
  void pass(const Inst& inst, F arrive) {
    const bool waits = inst.run == wait_for_copies;
    if (!waits || (inst.flags & CopyFlags::kAll) != 0) ++groups_;
    if (!waits) return;
    remove([&](const Copy& copy) { return groups_ - copy.group > inst.count; }, arrive);
  }

 private:
  struct Copy {
    T known;
    std::uint32_t group = 0;
    std::uint32_t number = 0;  // copies of the warp before it
  };

  template <class Arrives, class F>
  void remove(Arrives arrives, F arrive) {
    std::erase_if(copies_, [&](const Copy& copy) {
      if (!arrives(copy)) return false;
      arrive(copy.known);
      return true;
    });
  }

  std::vector<Copy> copies_;
  std::uint32_t groups_ = 0;  // closed so far
  std::uint32_t begun_ = 0;   // copies so far
};

}  // namespace tessera::sim
