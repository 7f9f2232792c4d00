// What the grader and the process that interprets say to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/simulator/simulator.h"

namespace tessera {

/// Rises with every change of what travels. Both sides are built together, so another number is a
/// mixed installation.
inline constexpr std::uint32_t kChannelVersion = 5;

/// Bytes of one message.
inline constexpr std::uint64_t kMostRequestBytes = std::uint64_t{80} << 20;  // PTX: 64 MiB at most
inline constexpr std::uint64_t kMostReplyBytes = std::uint64_t{16} << 20;

/// A buffer of a launch; its bytes are in memory that both sides share, one descriptor a buffer
/// that has bytes, in this order.
struct SharedBufferInfo {
  BufferInfo info;
  std::uint64_t address = 0;  // in the simulated device's memory
  std::uint64_t size = 0;     // bytes
};

struct LoadMessage {
  std::string ptx;
};

struct RunMessage {
  RunRequest request;  // but for `memory`
  std::vector<SharedBufferInfo> buffers;
  bool sample = false;  // sample_launch() in place of run()
};

/// After an answer that says that the process is ready.
struct ReadyReply {
  std::uint32_t version = kChannelVersion;
};
/// Why a request failed: no memory, arguments that do not fit. Believed once, as a death is.
struct FailedReply {
  std::string message;
};

/// A launch that takes more memory than the process may have.
struct OutOfMemoryReply {};

using LoadReply = std::variant<std::vector<KernelInfo>, LoadError, FailedReply>;
using RunReply =
    std::variant<RunResult, std::optional<LaunchCounters>, FailedReply, OutOfMemoryReply>;

/// The bytes of each message, without its frame.
std::string encode(const LoadMessage& message);
std::string encode(const RunMessage& message);
std::string encode(const ReadyReply& reply);
std::string encode(const LoadReply& reply);
std::string encode(const RunReply& reply);

using Request = std::variant<LoadMessage, RunMessage>;

/// Each throws wire::WireError for bytes that are no such message.
Request decode_request(std::string_view bytes);
ReadyReply decode_ready(std::string_view bytes);
LoadReply decode_load_reply(std::string_view bytes);
RunReply decode_run_reply(std::string_view bytes);

}  // namespace tessera
