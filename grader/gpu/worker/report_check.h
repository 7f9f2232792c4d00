// What a worker left in shared memory, copied out once and held against what a launch can have
// done: a kernel that got hold of its process may have written anything there.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "grader/gpu/backend.h"
#include "grader/gpu/worker.h"

namespace tessera {

/// Why no worker of this program writes such a report; nothing where one may have. After it every
/// field may be read: truth values are 0 or 1, enumerations in range, counts within their arrays.
std::optional<std::string> why_impossible(const DevicesReport& report);
std::optional<std::string> why_impossible(const RunReport& report);
std::optional<std::string> why_impossible(const BufferDamage& damage, const GpuBuffer& buffer);
/// `lived_ms`: of the worker. All times together fit into it.
std::optional<std::string> why_impossible(const TimingReport& report, const TimingRequest& request,
                                          double lived_ms);
std::optional<std::string> why_impossible(const TransferReport& report,
                                          const TransferRequest& request);

/// The text up to its zero byte or its end, with control characters replaced.
template <std::size_t kSize>
std::string plain(const FixedText<kSize>& text);

/// How a job ended: as its worker reported it, or as the grader explains it.
struct JobEnd {
  GpuStatus status = GpuStatus::infra;
  std::optional<FindingKind> kind;  // where there is a finding
  Text message;
  Text hint;

  /// The finding about `source_file`, or nothing.
  std::optional<Finding> finding(const std::string& source_file) const;
};

/// The end that a worker reported. Throws wire::WireError for texts that are none.
JobEnd reported(const EndReport& report);

/// The end of a run whose report is impossible: the kernel's fault, and for a person to look at.
JobEnd impossible_report(const std::string& reason);

/// Whether nothing but a kernel that broke its process explains this end of a worker that had not
/// finished: it ended with a signal, or said that all was done. An exception is no such end.
bool is_broken(const WorkerEnd& worker);

/// The end of a run whose worker ended before it finished: the kernel's fault where is_broken(),
/// unless `excused`, else this machine's.
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
