// Shows how far a batch has come, at a terminal or in a log file.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

#include "grader/gradebook/batch.h"

namespace tessera {

class BatchProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `results`: how many to expect. On a terminal one line is rewritten; elsewhere a line is
  /// printed every ten seconds.
  BatchProgress(std::ostream& out, std::size_t results, bool terminal, Clock::time_point start);

  /// Counts a job that ended at `now`.
  void add(const JobEnd& end, Clock::time_point now);

  /// Ends the line that is rewritten.
  void finish();

  std::size_t done() const { return done_; }
  std::size_t shared() const { return shared_; }
  std::size_t infra() const { return infra_; }

  /// " 38 %  755 of 1,987  21.3 a second  58 s left  12 do not compile, 3 out of time"
  std::string line(Clock::time_point now) const;

 private:
  std::ostream& out_;
  std::size_t results_;
  bool terminal_;
  Clock::time_point start_;
  Clock::time_point printed_;
  std::size_t done_ = 0;
  std::size_t shared_ = 0;  // got the result of another source
  std::size_t not_compiled_ = 0;
  std::size_t timeouts_ = 0;
  std::size_t infra_ = 0;
};

}  // namespace tessera
