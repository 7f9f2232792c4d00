// Keeps what `tessera grade` has found so far, and writes it.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "grader/cli/exit_status.h"
#include "grader/cli/format_output.h"
#include "grader/cli/json_output.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// Records of all labs, in the order in which they are graded; shared with the thread that handles
/// Ctrl-C. Files of --format are rewritten whenever a record changes; on a terminal a line shows
/// how far the lab is.
class GradeResults {
 public:
  /// `ungraded`: the record of every lab before it is graded.
  GradeResults(std::vector<Record> ungraded, FormatOutput output, JsonOutput json,
               Presentation presentation);

  /// A case of the lab has ended: takes its record as it would be if the grader ended now. Several
  /// labs may be graded at a time.
  void update(Record record);

  /// Takes the final record of the first lab that has none yet.
  void add(Record record);

  /// Writes everything.
  ExitStatus finish();

  /// Called once, before the program ends: writes what there is. Keeps the lock, so that nothing is
  /// added afterwards.
  void interrupt();

  std::vector<Record> take_records();

 private:
  bool prints_text() const;
  void show_progress() const;
  void hide_progress() const;
  bool write_all() const;

  FormatOutput output_;
  JsonOutput json_;
  Presentation presentation_;
  std::mutex mutex_;
  std::vector<Record> records_;
  std::size_t graded_ = 0;
  std::vector<std::size_t> cases_;  // of each lab, cases that have ended
};

}  // namespace tessera
