#include "grader/gpu/cuda_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/sha256.h"
#include "grader/gpu/helper_kernels.h"

namespace tessera {
namespace {

constexpr double kLeastSampleMs = 0.2;
constexpr int kMostLaunches = 200;
constexpr std::size_t kMostInstanceBytes = std::size_t{16} << 30;
constexpr unsigned long long kWaitPatienceNs = 2'000'000'000;
constexpr std::size_t kStampBytes = kMostStamps * 2 * sizeof(unsigned long long);

/// Releases the wait kernel however the scope is left: freeing memory waits for the stream.
struct Releaser {
  Release& release;
  ~Releaser() { release.release(); }
};

std::vector<unsigned long long> stamps(const DeviceMemoryBlock& block) {
  std::vector<unsigned long long> words(2 * kMostStamps);
  copy_from_device(std::as_writable_bytes(std::span(words)), block.data());
  return words;
}

/// The median clock of the multiprocessors that left a reading both times, in MHz; 0 if none did.
double clock_between(const std::vector<unsigned long long>& before,
                     const std::vector<unsigned long long>& after) {
  std::vector<double> clocks;
  for (std::size_t i = 0; i + 1 < before.size(); i += 2) {
    const bool read = before[i + 1] != 0 && after[i + 1] > before[i + 1];
    if (!read) continue;
    clocks.push_back(1e3 * static_cast<double>(after[i] - before[i]) /
                     static_cast<double>(after[i + 1] - before[i + 1]));
  }
  if (clocks.empty()) return 0;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

}  // namespace

Bench::Bench(const TimingRequest& request, const std::string& helpers)
    : request_(request),
      helpers_(helpers),
      vary_(helpers_.kernel(kVaryKernel)),
      wait_(helpers_.kernel(kWaitKernel)),
      stamp_(helpers_.kernel(kStampKernel)),
      watch_(helpers_.kernel(kWatchKernel)),
      originals_(request.buffers),
      scratch_(2 * std::max<std::size_t>(request.device.profile.l2_bytes, 1 << 20)),
      stamps_before_(kStampBytes),
      stamps_after_(kStampBytes),
      longest_(sizeof(unsigned long long)),
      salts_(request.seed),
      choices_(hashed_number(fmt::format("choices {}", request.seed))) {
  for (std::size_t i = 0; i < request.buffers.size(); ++i) {
    copy_to_device(originals_.addresses[i], request.buffers[i].contents);
  }
  add_instances(1);
}

void Bench::load(const Contestant& contestant) {
  prepare_instances(1);
  cudaError_t code = contestant.launch(instances_.front().addresses);
  if (code == cudaSuccess) code = cudaDeviceSynchronize();
  require(code, "running the kernel");
}

void Bench::calibrate(Contestant& contestant, double milliseconds) {
  for (int round = 0; round < 4; ++round) {
    if (milliseconds * contestant.launches >= kLeastSampleMs) return;
    const double wanted = std::ceil(1.2 * kLeastSampleMs / std::max(milliseconds, 1e-6));
    contestant.launches = static_cast<int>(std::min<double>(kMostLaunches, wanted));
    contestant.launches = add_instances(contestant.launches);
    milliseconds = sample(contestant).milliseconds;
  }
}

TimingSample Bench::sample(const Contestant& contestant) {
  prepare_instances(contestant.launches);
  static_cast<void>(cudaCtxResetPersistingL2Cache());  // older cards have no such cache
  require(cudaMemsetAsync(scratch_.data(), 0x5a, scratch_.size()), "clearing L2");
  require(cudaMemsetAsync(stamps_before_.data(), 0, kStampBytes), "clearing stamps");
  require(cudaMemsetAsync(stamps_after_.data(), 0, kStampBytes), "clearing stamps");
  cudaError_t code = queue_launches(contestant);
  if (code == cudaSuccess) code = cudaDeviceSynchronize();
  require(code, "running the kernel");
  return {.milliseconds = stop_.milliseconds_since(start_) / contestant.launches,
          .clock_mhz = clock_between(stamps(stamps_before_), stamps(stamps_after_))};
}

cudaError_t Bench::queue_launches(const Contestant& contestant) {
  const Releaser releaser{release_};
  queue_wait();
  queue_stamp(stamps_before_);
  start_.record();
  cudaError_t code = cudaSuccess;
  for (int i = 0; i < contestant.launches && code == cudaSuccess; ++i) {
    code = contestant.launch(instances_[static_cast<std::size_t>(i)].addresses);
  }
  if (code != cudaSuccess) return code;
  stop_.record();
  queue_stamp(stamps_after_);
  return cudaSuccess;
}

double Bench::taken_away_ms() {
  constexpr unsigned long long kWatchNs = 5'000'000;
  std::byte* to = longest_.data();
  unsigned long long duration = kWatchNs;
  launch_helper(watch_, 1, 1, {&to, &duration});
  require(cudaDeviceSynchronize(), "looking out for other processes");
  unsigned long long longest = 0;
  copy_from_device(std::as_writable_bytes(std::span(&longest, 1)), longest_.data());
  return 1e-6 * static_cast<double>(longest);
}

std::uint64_t Bench::copy_outputs(const Contestant& contestant, std::byte* to) {
  const Instance& instance =
      instances_[random_below(static_cast<std::size_t>(contestant.launches))];
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    if (request_.buffers[i].input) continue;
    const std::size_t bytes = request_.buffers[i].contents.size();
    copy_from_device({to, bytes}, instance.addresses[i]);
    to += bytes;
  }
  return instance.salt;
}

/// Makes instances until there are `wanted` or memory is used up. Returns how many of the wanted
/// instances there are.
int Bench::add_instances(int wanted) {
  const std::size_t bytes = Instance::bytes_for(request_.buffers);
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "asking for free memory");
  const std::size_t room = std::min(free / 2, kMostInstanceBytes) / bytes;
  const std::size_t most = std::max<std::size_t>(instances_.size() + room, 1);
  while (instances_.size() < std::min<std::size_t>(most, static_cast<std::size_t>(wanted))) {
    instances_.emplace_back(request_.buffers);
  }
  return std::min(wanted, static_cast<int>(instances_.size()));
}

void Bench::prepare_instances(int count) {
  for (int i = 0; i < count; ++i) {
    Instance& instance = instances_[static_cast<std::size_t>(i)];
    instance.salt = salts_();
    for (std::size_t b = 0; b < request_.buffers.size(); ++b) {
      const GpuBuffer& buffer = request_.buffers[b];
      queue_vary(originals_.addresses[b], instance.addresses[b], buffer.contents.size() / 4,
                 buffer.input ? request_.variation : Variation::none,
                 buffer_salt(instance.salt, b));
    }
  }
}

void Bench::queue_vary(std::byte* from, std::byte* to, unsigned long long count,
                       Variation variation, unsigned long long salt) {
  auto kind = static_cast<unsigned>(variation);
  launch_helper(vary_, 4 * static_cast<unsigned>(request_.device.profile.multiprocessors), 256,
                {&from, &to, &count, &kind, &salt});
}

void Bench::queue_wait() {
  void* word = release_.device();
  unsigned ticket = release_.next_ticket();
  unsigned long long patience = kWaitPatienceNs;
  launch_helper(wait_, 1, 1, {&word, &ticket, &patience});
}

void Bench::queue_stamp(const DeviceMemoryBlock& stamps) {
  std::byte* to = stamps.data();
  unsigned most = kMostStamps;
  launch_helper(stamp_, static_cast<unsigned>(request_.device.profile.multiprocessors), 1,
                {&to, &most});
}

}  // namespace tessera
