#include "grader/compile/compiler_messages.h"

#include <algorithm>

#include "grader/process/wire.h"

namespace tessera {
namespace wire {

template <>
struct Largest<CompilerTool> {
  static constexpr CompilerTool value = CompilerTool::clang;
};
template <>
struct Largest<ChildResult::End> {
  static constexpr ChildResult::End value = ChildResult::End::out_of_output;
};
template <>
struct Fields<CompilerRequest> {
  static auto of(auto& request) {
    return std::tie(request.version, request.library, request.readable, request.cpu_seconds);
  }
};
template <>
struct Fields<CompilerTask> {
  static auto of(auto& task) {
    return std::tie(task.tool, task.program, task.file_name, task.arguments);
  }
};
template <>
struct Fields<CompilerReply> {
  static auto of(auto& reply) {
    return std::tie(reply.version, reply.library, reply.failure, reply.end, reply.status);
  }
};

}  // namespace wire

namespace {

constexpr std::size_t kMostNameBytes = 64;
constexpr std::size_t kMostFailureBytes = 4096;

template <class Message>
std::string bytes_of(const Message& message) {
  return wire::Writer().put(message).take();
}

void require_printable(const std::string& text, std::size_t most) {
  const auto is_printable = [](unsigned char c) { return c >= ' ' && c != 127; };
  if (text.size() > most || !std::ranges::all_of(text, is_printable))
    throw wire::WireError("a text that is too long or cannot be printed");
}

}  // namespace

std::string encode(const CompilerRequest& request) {
  return bytes_of(request);
}
std::string encode(const CompilerTask& task) {
  return bytes_of(task);
}
std::string encode(const CompilerReply& reply) {
  return bytes_of(reply);
}

CompilerRequest decode_compiler_request(std::string_view bytes) {
  const auto request = wire::Reader(bytes).get_last<CompilerRequest>();
  if (request.version != kCompilerVersion) throw wire::WireError("a message of another version");
  if (!(request.cpu_seconds > 0 && request.cpu_seconds < 1e6))
    throw wire::WireError("a time limit that is none");
  return request;
}

CompilerTask decode_compiler_task(std::string_view bytes) {
  return wire::Reader(bytes).get_last<CompilerTask>();
}

CompilerReply decode_compiler_reply(std::string_view bytes) {
  auto reply = wire::Reader(bytes).get_last<CompilerReply>();
  if (reply.version != kCompilerVersion) throw wire::WireError("a message of another version");
  require_printable(reply.library, kMostNameBytes);
  require_printable(reply.failure, kMostFailureBytes);
  if (reply.status < 0 || reply.status > 255) throw wire::WireError("a status that no process has");
  return reply;
}

}  // namespace tessera
