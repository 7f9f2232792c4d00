// tessera grade --watch: a lab is graded again whenever one of its files is saved.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/cli/exit_status.h"
#include "grader/cli/watched_files.h"
#include "grader/judge/points/record.h"

namespace tessera {

struct WatchRequest {
  struct LabFiles {
    std::string id;
    WatchedSet files;
  };
  std::vector<LabFiles> labs;
  std::vector<std::filesystem::path> shared;  // files and folders that every lab uses
  /// Grades one lab and prints its result on standard output and error. Returns its record, or none
  /// if the lab could not be graded. Called in a forked child: it may crash and may never end.
  std::function<std::vector<Record>(const std::string& lab)> grade;
  bool color = false;
};

/// Grades every lab once, then what was saved, until SIGINT or SIGTERM. The last save is graded
/// first: a grading that still runs is stopped, and repeated later if it was of another lab. A
/// single lab is shown in full; if many are graded at once (at the start, after a save of a shared
/// file), each is a line. A terminal is cleared before a result. Starts no thread, and none may be
/// running.
ExitStatus watch(const WatchRequest& request);

}  // namespace tessera
