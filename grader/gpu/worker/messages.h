// What the grader sends to the process that drives a GPU: one job, and where in shared memory its
// inputs are and its results go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/gpu/run.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/transfer.h"

namespace tessera {

/// Increased with every change of the messages or of the reports in backend.h. Both sides are built
/// together: another number means that the installation is mixed.
inline constexpr std::uint32_t kWorkerVersion = 2;

/// Report the machine's GPUs: a DevicesReport.
struct DevicesJob {};

/// Do these runs, in this order.
struct RunsJob {
  GpuDevice device;
  std::vector<GpuRun> runs;
};

struct TimingJob {
  TimingRequest request;
  std::string helpers;  // the module of helper_kernels.h
};

struct TransferJob {
  TransferRequest request;
};

using GpuJob = std::variant<DevicesJob, RunsJob, TimingJob, TransferJob>;

/// The bytes of the job without the contents of its buffers, which are shared: see buffers_of().
std::string encode(const GpuJob& job);

/// The job with zeroed buffers. Throws wire::WireError if the bytes are no job of this version.
GpuJob decode_gpu_job(std::string_view bytes);

/// The buffers of the job, in order. Each piece of the arena of inputs holds the contents of the
/// buffer with the same index.
std::vector<GpuBuffer*> buffers_of(GpuJob& job);

/// The sizes of the pieces of the arena of results. Piece 0 is the Deadline. The other pieces:
/// - DevicesJob: the report;
/// - TimingJob: the report, then the outputs of request.outputs launches in one piece;
/// - TransferJob: the report, then the outputs;
/// - RunsJob: for each run its RunReport, then for each of its buffers a BufferDamage and the
///   contents.
std::vector<std::uint64_t> result_sizes(const GpuJob& job);

/// The index of each run's RunReport; the damage and contents of its buffers follow.
std::vector<std::size_t> run_pieces(const std::vector<GpuRun>& runs);

}  // namespace tessera
