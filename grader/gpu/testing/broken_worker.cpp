// A worker that a kernel has broken into. The name by which it is started says what it does; tests
// start it through a link of that name.
#include <sys/prctl.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include "grader/gpu/backend.h"
#include "grader/gpu/worker.h"
#include "grader/gpu/worker/confinement.h"
#include "grader/process/spawn_on_channel.h"

namespace tessera {
namespace {

struct Desk {
  GpuJob job;
  SharedArena results;
};

Desk desk_of(Channel& channel) {
  std::vector<int> descriptors;
  const auto bytes = channel.receive(8, &descriptors);
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.value().data(), sizeof size);
  const SharedBuffer words(descriptors.at(0), size);
  GpuJob job = decode_gpu_job({reinterpret_cast<const char*>(words.bytes().data()), size});
  std::vector<std::uint64_t> sizes;
  for (const GpuBuffer* buffer : buffers_of(job)) sizes.push_back(buffer->contents.size());
  std::span<const int> rest(descriptors);
  rest = rest.subspan(1);
  const SharedArena inputs(sizes, rest);
  SharedArena results(result_sizes(job), rest);
  return {std::move(job), std::move(results)};
}

void complete(TimingReport& report) {
  report.ended = true;
  report.pairs = kFirstPairs;
  report.candidate_launches = report.baseline_launches = 1;
  for (TimingPair& pair : report.pair) {
    pair.candidate = {.milliseconds = 0.001, .clock_mhz = 1000};
    pair.baseline = {.milliseconds = 0.1, .clock_mhz = 1000};
  }
}

void forge(const std::string& deed, TimingReport& report) {
  complete(report);
  double& time = report.pair[3].candidate.milliseconds;
  if (deed == "time-no-number") time = std::numeric_limits<double>::quiet_NaN();
  if (deed == "time-below-zero") time = -1;
  if (deed == "time-of-nothing") time = 0;
  if (deed == "baseline-beyond-its-life") report.pair[3].baseline.milliseconds = 1e9;
  if (deed == "too-many-pairs") report.pairs = std::size_t{1} << 60;
  if (deed == "no-launches") report.candidate_launches = 0;
  if (deed == "no-such-status") report.end.status = static_cast<GpuStatus>(77);
  if (deed == "truth-of-seven") std::memset(&report.pair[3].shared, 7, 1);
  if (deed == "text-beyond-its-room") report.end.message.size = ~0u;
  if (deed == "text-of-no-phrase") report.end.hint.size = 20;
  if (deed == "texts") report.end.set(GpuStatus::infra, say(Phrase::other_arguments, Name{"\x1b"}));
}

void forge(const std::string& deed, RunReport& report) {
  report.stage = Stage::ended;
  report.milliseconds = 1;
  if (deed == "no-such-stage") report.stage = static_cast<Stage>(9);
  if (deed == "output-without-end") report.output_end = std::uint64_t{1} << 62;
  if (deed == "time-no-number") report.milliseconds = std::numeric_limits<double>::infinity();
  if (deed == "finding-of-the-judge") {
    report.end.status = GpuStatus::trapped;
    report.end.has_finding = true;
    report.end.kind = FindingKind::wrong_result;
  }
  if (deed == "dies-in-a-launch") {
    report.stage = Stage::launched;
    std::raise(SIGKILL);
  }
  if (deed == "leaves-in-a-launch") {
    report.stage = Stage::launched;
    _exit(0);
  }
}

int act(const std::string& deed, Desk& desk) {
  Deadline& deadline = desk.results.at<Deadline>(0);
  if (deed == "says") {
    std::puts("said");
    std::fputs("complained", stderr);
    std::fflush(stdout);
    return 7;
  }
  if (deed == "dies") std::raise(SIGKILL);
  if (deed == "hangs") pause();
  if (deed == "hangs-beyond-its-deadline") {
    deadline.set(1e9);
    pause();
  }
  if (deed == "moves-its-deadline") {
    deadline.set(10'000);
    usleep(300'000);
    return 3;
  }
  if (deed == "floods") {
    const std::string line(1 << 20, 'x');
    for (int i = 0; i < 3; ++i) std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
    return 0;
  }
  if (auto* runs = std::get_if<RunsJob>(&desk.job)) {
    const auto pieces = run_pieces(runs->runs);
    if (deed == "damage-nowhere") {
      desk.results.at<BufferDamage>(pieces[0] + 1).after = {
          .count = 1, .first = std::uint64_t{1} << 50, .last = std::uint64_t{1} << 50};
    }
    for (const std::size_t piece : pieces) forge(deed, desk.results.at<RunReport>(piece));
  }
  if (std::holds_alternative<TimingJob>(desk.job)) {
    forge(deed, desk.results.at<TimingReport>(1));
    usleep(20'000);
  }
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int, char** words) {
  tessera::Channel channel(tessera::kChannelDescriptor);
  tessera::Desk desk = tessera::desk_of(channel);
  _exit(tessera::act(std::filesystem::path(words[0]).filename(), desk));
}
