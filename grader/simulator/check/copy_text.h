// The message and the hint for an access of an element while a copy into it is on its way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/wording.h"

namespace tessera::sim {

/// An access to shared memory that meets an asynchronous copy which may not have arrived.
struct UnfinishedCopy {
  Phrase verb = Phrase::reads;  // reads, stores, updates, copies into
  ArrayElement element;
  std::string thread;        // "(3, 0, 0)" of the access
  std::string copier;        // of the copy
  bool at_mbarrier = false;  // the copier arrives at an mbarrier with the copy
  bool in_group = false;     // the copier had closed the copy's group
  /// The copier's last wait that let copies travel on: this copy among them, if it had begun.
  std::optional<std::uint32_t> wait_site;
  bool begun_after_wait = false;
  std::uint32_t waited_for = 0;  // groups that this wait let travel on
  std::uint32_t behind = 0;      // groups closed by then, from its own on; 0: its own was open
  /// A store changed the copy's source, `element`, before the copy arrived; nothing else is known.
  bool source_changed = false;
};

/// "reads As[1][3] (thread (3, 0, 0)) while the copy of line 31 (thread (5, 0, 0)) may still be on
/// its way". `copy` is where the copy begins.
Text unfinished_message(const UnfinishedCopy& access, SourceLine copy);

/// Returns how to repair it. `wait` is where the copier waited last.
Text unfinished_hint(const UnfinishedCopy& access, SourceLine copy, SourceLine wait);

}  // namespace tessera::sim
