#include "grader/gpu/worker/serve.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "grader/gpu/backend.h"
#include "grader/gpu/worker.h"
#include "grader/process/process_tree.h"
#include "grader/process/resource_limit.h"
#include "grader/process/spawn_on_channel.h"

namespace tessera {
namespace {

/// Ends the process when the grader has gone: no process waits for its launches any more.
void end_with(int descriptor) {
  pollfd end{descriptor, POLLRDHUP, 0};
  while (poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  _exit(EXIT_SUCCESS);
}

/// The job and its shared memory.
class Desk {
 public:
  /// Throws wire::WireError or another std::exception if no valid job arrives.
  explicit Desk(Channel& channel) : Desk(received(channel)) {}

  GpuJob& job() { return job_; }
  Deadline& deadline() const { return results_.at<Deadline>(0); }
  const SharedArena& results() const { return results_; }

  std::vector<RunSlot> slots(const RunsJob& job) const {
    std::vector<RunSlot> slots;
    const std::vector<std::size_t> pieces = run_pieces(job.runs);
    for (std::size_t i = 0; i < job.runs.size(); ++i) {
      RunSlot& slot = slots.emplace_back();
      slot.report = &results_.at<RunReport>(pieces[i]);
      for (std::size_t b = 0; b < job.runs[i].buffers.size(); ++b) {
        slot.damage.push_back(&results_.at<BufferDamage>(pieces[i] + 1 + 2 * b));
        slot.contents.push_back(results_.piece(pieces[i] + 2 + 2 * b).data());
      }
    }
    return slots;
  }

 private:
  struct Received {
    GpuJob job;
    std::vector<int> descriptors;
  };

  static Received received(Channel& channel) {
    Received all;
    const auto bytes = channel.receive(sizeof(std::uint64_t), &all.descriptors);
    if (!bytes || bytes->size() != sizeof(std::uint64_t) || all.descriptors.empty())
      throw std::runtime_error("no job arrived");
    std::uint64_t size = 0;
    std::memcpy(&size, bytes->data(), sizeof size);
    const SharedBuffer words(all.descriptors.front(), size);
    all.descriptors.erase(all.descriptors.begin());
    all.job = decode_gpu_job({reinterpret_cast<const char*>(words.bytes().data()), size});
    return all;
  }

  static SharedArena results_of(const GpuJob& job, std::span<const int> descriptors) {
    return SharedArena(result_sizes(job), descriptors);
  }

  /// Copies the inputs; returns the descriptors that are left for the results.
  static std::span<const int> take_inputs(Received& all) {
    const std::vector<GpuBuffer*> buffers = buffers_of(all.job);
    std::vector<std::uint64_t> sizes;
    for (const GpuBuffer* buffer : buffers) sizes.push_back(buffer->contents.size());
    std::span<const int> rest = all.descriptors;
    const SharedArena inputs(sizes, rest);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const std::span<std::byte> piece = inputs.piece(i);
      buffers[i]->contents.assign(piece.begin(), piece.end());
    }
    return rest;
  }

  explicit Desk(Received all)
      : results_(results_of(all.job, take_inputs(all))), job_(std::move(all.job)) {}

  SharedArena results_;
  GpuJob job_;
};

int do_job(Desk& desk, const RunsJob& job, Confinement confinement) {
  const std::vector<RunSlot> slots = desk.slots(job);
  RunReport& first = *slots.front().report;
  first.stage = Stage::preparing;
  if (!start_gpu(job.device, first.end)) {
    first.stage = Stage::ended;
    return EXIT_SUCCESS;
  }
  if (confinement == Confinement::full) forbid_calls();
  return do_runs(job.device, job.runs, slots, desk.deadline());
}

int do_job(Desk& desk, const TimingJob& job, Confinement confinement) {
  const TimingPlace place{.report = desk.results().at<TimingReport>(1),
                          .outputs = desk.results().piece(2).data(),
                          .deadline = desk.deadline()};
  if (!start_gpu(job.request.device, place.report.end)) {
    place.report.ended = true;
    return EXIT_SUCCESS;
  }
  if (confinement == Confinement::full) forbid_calls();
  return do_timing(job, place);
}

int do_job(Desk& desk, const TransferJob& job, Confinement confinement) {
  const TransferPlace place{.report = desk.results().at<TransferReport>(1),
                            .output = desk.results().piece(2).data(),
                            .deadline = desk.deadline()};
  if (!start_gpu(job.request.device, place.report.end)) {
    place.report.ended = true;
    return EXIT_SUCCESS;
  }
  if (confinement == Confinement::full) forbid_calls();
  return do_transfers(job.request, place);
}

int do_job(Desk& desk, const DevicesJob&, Confinement) {
  return report_devices(desk.results().at<DevicesReport>(1));
}

}  // namespace

int serve_gpu(Channel channel, Confinement confinement) {
  int status = kWorkerFailed;
  try {
    Desk desk(channel);
    // Listing the cards loads nothing of a submission, and if device files are missing the driver
    // starts a program to make them.
    const bool asks = std::holds_alternative<DevicesJob>(desk.job());
    if (!asks && confinement == Confinement::full) restrict_files();
    std::thread(end_with, channel.descriptor()).detach();
    status =
        std::visit([&](const auto& job) { return do_job(desk, job, confinement); }, desk.job());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(stdout);
  std::fflush(stderr);
  // Without exit handlers: those of the driver may wait for a context that a kernel broke.
  _exit(status);
}

int run_gpu_worker(Confinement confinement) {
  int kind = 0;
  socklen_t size = sizeof kind;
  if (getsockopt(kChannelDescriptor, SOL_SOCKET, SO_TYPE, &kind, &size) != 0) {
    std::fputs("tessera-gpu is started by tessera, for one submission\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Output beyond the limit is cut off and does not end the run.
  std::signal(SIGXFSZ, SIG_IGN);
  set_resource_limit(RLIMIT_FSIZE, kMostWorkerOutput);
  set_resource_limit(RLIMIT_CORE, 0);
  close_descriptors_from(kChannelDescriptor + 1);
  return serve_gpu(Channel(kChannelDescriptor), confinement);
}

}  // namespace tessera
