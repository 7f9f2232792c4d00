#include "grader/gpu/transfer.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "grader/gpu/backend.h"
#include "grader/gpu/lock.h"
#include "grader/gpu/worker.h"
#include "grader/gpu/worker/report_check.h"

namespace tessera {
namespace {

/// In milliseconds: for starting the driver, loading cuBLAS, translating PTX, allocating memory.
constexpr double kTransferPatience = 120'000;

struct Word {
  MemoryKind kind;
  const char* word;
};

constexpr std::array kWords = {
    Word{MemoryKind::pageable, "pageable"}, Word{MemoryKind::pinned, "pinned"},
    Word{MemoryKind::managed, "managed"}, Word{MemoryKind::prefetched, "prefetched"},
    Word{MemoryKind::advised, "advised"}};

/// The end of transfers whose worker ended before it reported the end.
JobEnd explained(const WorkerEnd& worker) {
  if (worker.end == WorkerEnd::End::overdue) {
    return {GpuStatus::timeout, std::nullopt, Phrase::copies_overdue, Phrase::gpu_in_use_hint};
  }
  return failed_worker(worker);
}

}  // namespace

std::string_view to_string(MemoryKind kind) {
  return std::ranges::find(kWords, kind, &Word::kind)->word;
}

std::optional<MemoryKind> memory_kind_from(std::string_view word) {
  const auto found = std::ranges::find(kWords, word, &Word::word);
  return found == kWords.end() ? std::nullopt : std::optional(found->kind);
}

std::vector<std::string> memory_kind_names() {
  std::vector<std::string> names;
  for (const Word& word : kWords) names.emplace_back(word.word);
  return names;
}

TransferResult transfer_on_gpu(const TransferRequest& request) {
  require_addresses(request.work, request.buffers.size());
  TransferResult result;
  if (!missing_backend().empty()) {
    result.message = missing_backend();
    return result;
  }
  const GpuLock lock(request.device);
  WorkerTask task(TransferJob{.request = request});
  const auto worker =
      task.run(request.device.worker, kTransferPatience, kTransferPatience + request.time_limit_ms);
  if (!worker) throw std::runtime_error(worker.error().str());
  const TransferReport report = task.results().at<TransferReport>(1);
  const auto reason = why_impossible(report, request);
  const JobEnd end = reason         ? impossible_report(*reason)
                     : report.ended ? reported(report.end)
                                    : explained(*worker);
  result.status = end.status;
  result.message = end.message;
  result.hint = end.hint;
  if (result.status != GpuStatus::completed) return result;
  result.samples.assign(report.samples, report.samples + report.count);
  const std::byte* at = task.results().piece(2).data();
  for (const GpuBuffer& buffer : request.buffers) {
    result.contents.emplace_back();
    if (buffer.input) continue;
    result.contents.back().assign(at, at + buffer.contents.size());
    at += buffer.contents.size();
  }
  return result;
}

}  // namespace tessera
