// The work inside the worker, the only code that calls CUDA, and the reports that it writes to
// memory shared with the grader. Every report is trivially copyable; a report of zeroes means that
// nothing has happened yet.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/gpu/deadline.h"
#include "grader/gpu/guard.h"
#include "grader/gpu/run.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/transfer.h"
#include "grader/gpu/worker/messages.h"

namespace tessera {

/// Why this build has no GPU backend; empty if it has one.
Text missing_backend();

/// Text in shared memory; cut if it is too long.
template <std::size_t kSize>
struct FixedText {
  char bytes[kSize];

  void set(std::string_view text) {
    const std::size_t length = text.copy(bytes, kSize - 1);
    bytes[length] = '\0';
  }
  /// The text up to the first zero byte, or all bytes if there is none.
  std::string_view view() const { return {bytes, strnlen(bytes, kSize)}; }
};

// ---- devices

constexpr int kMostDevices = 64;

struct DeviceReport {
  FixedText<256> name;
  FixedText<64> uuid;
  int compute_capability;
  int multiprocessors;
  int max_threads_per_block;
  std::uint32_t max_block[3];
  std::uint32_t max_grid[3];
  int max_threads_per_sm;
  int max_blocks_per_sm;
  int registers_per_sm;
  std::uint64_t shared_bytes_per_block;
  std::uint64_t shared_bytes_per_block_optin;
  std::uint64_t shared_bytes_per_sm;
  std::uint64_t reserved_shared_bytes_per_block;
  std::uint64_t constant_bytes;
  std::uint64_t l2_bytes;
  std::uint64_t memory_bytes;
  int clock_khz;
  int memory_clock_khz;
  int memory_bus_bits;
};

struct DevicesReport {
  int cuda_driver;  // 1000 * major + 10 * minor
  int cuda_runtime;
  int count;
  FixedText<64> driver;   // "" if the driver's library does not give its version
  FixedText<256> reason;  // why there is no device
  DeviceReport devices[kMostDevices];
};

/// Fills in what the driver reports. Returns the worker's exit status.
int report_devices(DevicesReport& report);

// ---- launches

/// A Text in shared memory, encoded.
struct SharedText {
  std::uint32_t size;  // bytes
  char bytes[4092];

  /// A text that does not fit becomes the start of its words.
  void set(const Text& text);
  /// Throws wire::WireError for bytes that are no text.
  Text get() const;
};

/// How a kernel ended.
struct EndReport {
  GpuStatus status;
  bool has_finding;  // made of kind, message and hint
  FindingKind kind;
  SharedText message;
  SharedText hint;

  void set(GpuStatus end, const Text& text = {}, const Text& advice = {});
  void set(GpuStatus end, const Finding& finding);
};

/// Creates the card's context, before any job but report_devices(). Returns false if that fails;
/// `end` then says why.
bool start_gpu(const GpuDevice& device, EndReport& end);

struct KernelReport {
  bool known;
  int registers_per_thread;
  std::uint64_t static_shared_bytes;
  double theoretical_occupancy;  // percent
};

/// Written before each call of the driver that may not return, so that the grader knows which.
enum class Stage : std::uint32_t { waiting, preparing, launched, ended };

struct RunReport {
  Stage stage;
  EndReport end;
  KernelReport kernel;
  double milliseconds;
  std::uint64_t output_end;  // bytes of the worker's standard output after the run
};

/// Where in shared memory the results of one run go.
struct RunSlot {
  RunReport* report;
  std::vector<BufferDamage*> damage;  // of each buffer
  std::vector<std::byte*> contents;   // of each buffer
};

/// Does `runs` in turn until one of them breaks the context. Returns the worker's exit status.
int do_runs(const GpuDevice& device, std::span<const GpuRun> runs, std::span<const RunSlot> slots,
            Deadline& deadline);

// ---- timing

/// On whose behalf the GPU is in use.
enum class Party : std::uint32_t { grader, candidate, baseline };

struct TimingReport {
  Party active;
  bool ended;
  EndReport end;
  KernelReport candidate;
  double candidate_busy_ms;  // in samples
  double baseline_busy_ms;
  std::size_t pairs;
  TimingPair pair[kMostPairs];
  int candidate_launches;  // in one sample
  int baseline_launches;
  std::uint64_t salts[kTimedOutputs];
};

struct TimingPlace {
  TimingReport& report;
  /// Room for the contents of each output buffer in order, `request.outputs` times over.
  std::byte* outputs;
  Deadline& deadline;
};

/// Measures as the job asks and writes the report. Returns the worker's exit status.
int do_timing(const TimingJob& job, const TimingPlace& place);

// ---- transfers

struct TransferReport {
  bool ended;
  EndReport end;
  std::size_t count;
  TransferSample samples[kMostTransfers];
};

struct TransferPlace {
  TransferReport& report;
  /// Room for the contents of the output buffers in order, as they are in host memory at the end.
  std::byte* output;
  Deadline& deadline;
};

/// Does the transfers and writes the report. Returns the worker's exit status.
int do_transfers(const TransferRequest& request, const TransferPlace& place);

}  // namespace tessera
