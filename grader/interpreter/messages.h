// The messages between the grader and the interpreter's process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/simulator/simulator.h"

namespace tessera {

/// Differs if the fields of the messages differ (their author says so in messages.cpp), or the
/// tables whose row numbers are sent: metrics, kinds of findings, phrases.
/// Both sides are built together, so another number means a mixed installation.
std::uint32_t channel_version();

/// Bytes of one message.
inline constexpr std::uint64_t kMostRequestBytes = std::uint64_t{80} << 20;  // PTX: 64 MiB at most
inline constexpr std::uint64_t kMostReplyBytes = std::uint64_t{16} << 20;

/// A buffer of a launch; its bytes are in memory that both sides share, one descriptor for each
/// buffer that has bytes, in this order.
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

/// The first answer, which says that the process is ready.
struct ReadyReply {
  std::uint32_t version = channel_version();
};
/// Why a request failed: no memory, arguments that do not fit. Counts like a death: a second try
/// decides.
struct FailedReply {
  std::string message;
};

/// A launch that takes more memory than the process may have.
struct OutOfMemoryReply {};

using LoadReply = std::variant<std::vector<KernelInfo>, LoadError, FailedReply>;
using RunReply =
    std::variant<RunResult, std::optional<LaunchCounters>, FailedReply, OutOfMemoryReply>;

/// The bytes of the message, without its frame.
std::string encode(const LoadMessage& message);
std::string encode(const RunMessage& message);
std::string encode(const ReadyReply& reply);
std::string encode(const LoadReply& reply);
std::string encode(const RunReply& reply);

using Request = std::variant<LoadMessage, RunMessage>;

/// Decode a message; throw wire::WireError for bytes that are no such message.
Request decode_request(std::string_view bytes);
ReadyReply decode_ready(std::string_view bytes);
LoadReply decode_load_reply(std::string_view bytes);
RunReply decode_run_reply(std::string_view bytes);

}  // namespace tessera
