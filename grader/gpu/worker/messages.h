// What the grader asks of the process that drives a GPU: one job, and where in shared memory its
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

/// Rises with every change of what travels or of the reports in backend.h. Both sides are built
/// together, so another number is a mixed installation.
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

/// The bytes of the job without what its buffers hold: that is shared, see contents_of().
std::string encode(const GpuJob& job);

/// The job, its buffers zero. Throws wire::WireError for bytes that are no job of this version.
GpuJob decode_gpu_job(std::string_view bytes);

/// The buffers of the job, in order: their contents are what the pieces of the arena of inputs
/// hold.
std::vector<GpuBuffer*> buffers_of(GpuJob& job);

/// The pieces of the arena of results. Piece 0 is the Deadline, and piece 1 the report of devices,
/// timing or transfers, followed by the outputs of timing (request.outputs times over) or transfers
/// as one piece. Of runs it is for each: its RunReport, and for each of its buffers a BufferDamage
/// and contents.
std::vector<std::uint64_t> result_sizes(const GpuJob& job);

/// The piece where the report of each run is; the damage and the contents of its buffers follow.
std::vector<std::size_t> run_pieces(const std::vector<GpuRun>& runs);

}  // namespace tessera
