// Checks what a worker left in shared memory, copied out once, against what a launch can have done:
// a kernel that took over its process may have written anything there.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "grader/gpu/backend.h"
#include "grader/gpu/worker.h"

namespace tessera {

/// Why no worker can have written such a report; nothing if one can. If nothing, every field may be
/// read: bools are 0 or 1, enumerations in range, counts within their arrays.
std::optional<std::string> why_impossible(const DevicesReport& report);
std::optional<std::string> why_impossible(const RunReport& report);
std::optional<std::string> why_impossible(const BufferDamage& damage, const GpuBuffer& buffer);
/// `lived_ms`: how long the worker lived. All times together must fit into it.
std::optional<std::string> why_impossible(const TimingReport& report, const TimingRequest& request,
                                          double lived_ms);
std::optional<std::string> why_impossible(const TransferReport& report,
                                          const TransferRequest& request);

/// The text up to its zero byte or its end, with control characters replaced.
template <std::size_t kSize>
std::string plain(const FixedText<kSize>& text);

/// How a job ended, according to its worker or to the grader.
struct JobEnd {
  GpuStatus status = GpuStatus::infra;
  std::optional<FindingKind> kind;  // if there is a finding
  Text message;
  Text hint;

  /// The finding in `source_file`; nothing if there is none.
  std::optional<Finding> finding(const std::string& source_file) const;
};

/// The end that a worker reported. Throws wire::WireError if its texts cannot be decoded.
JobEnd reported(const EndReport& report);

/// The end of a run whose report is impossible: the kernel's fault, for a person to look at.
JobEnd impossible_report(const std::string& reason);

/// Whether only a kernel that broke its process explains this end of a worker that had not
/// finished: it ended by a signal, or with status 0. An exception is no such end.
bool is_broken(const WorkerEnd& worker);

/// The end of a run whose worker ended before it finished: the kernel's fault if is_broken() and
/// not `excused`, otherwise the machine's.
JobEnd failed_worker(const WorkerEnd& worker, bool excused = false);

// ---- implementation

void replace_control_characters(std::string& text);

template <std::size_t kSize>
std::string plain(const FixedText<kSize>& text) {
  std::string copy(text.view());
  replace_control_characters(copy);
  return copy;
}

}  // namespace tessera
