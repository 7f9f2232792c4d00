// What the grader and the process that compiles (server/) say to each other. The program's text,
// what the compiler makes of it and its messages are in files in memory, which the grader makes and
// the compiling process gets as descriptors: the server in between never reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/process/child_process.h"

namespace tessera {

/// Rises with every change of what travels. Both sides are built together, so another number is a
/// mixed installation.
inline constexpr std::uint32_t kCompilerVersion = 2;

/// Bytes of one message on the channel.
inline constexpr std::uint64_t kMostCompilerMessageBytes = 64 << 10;
/// Bytes of what a child is to do: a source has 1 MiB at most.
inline constexpr std::uint64_t kMostCompilerTaskBytes = std::uint64_t{64} << 20;

/// The exit status of a child that could not be confined, and has compiled nothing.
inline constexpr int kNotConfined = 121;
/// The exit status of a child whose program is not to be found.
inline constexpr int kNoProgram = 127;

enum class CompilerTool { nvrtc_ptx, nvrtc_cubin, clang };

/// For the server, with three descriptors: the file that holds a CompilerTask, and empty ones for
/// the compiler's output and log.
struct CompilerRequest {
  std::uint32_t version = kCompilerVersion;
  std::string library;  // the file of NVRTC, to be loaded before; empty: Clang compiles
  std::vector<std::string>
      readable;  // folders and files that the compiler sees beside the system's
  double cpu_seconds = 30;
};

/// For the child that compiles.
struct CompilerTask {
  CompilerTool tool = CompilerTool::nvrtc_ptx;
  std::string program;                 // the text to compile
  std::string file_name;               // NVRTC: how messages call it
  std::vector<std::string> arguments;  // NVRTC: options; Clang: its path and arguments
};

struct CompilerReply {
  std::uint32_t version = kCompilerVersion;
  std::string library;  // "nvrtc 13.0"; empty if it is not loaded
  std::string failure;  // why there is no result, and no fault of the source; empty: there is one
  ChildResult::End end = ChildResult::End::exited;
  int status = 0;
};

std::string encode(const CompilerRequest& request);
std::string encode(const CompilerTask& task);
std::string encode(const CompilerReply& reply);

/// Each throws wire::WireError for bytes that are no such message.
CompilerRequest decode_compiler_request(std::string_view bytes);
CompilerTask decode_compiler_task(std::string_view bytes);
CompilerReply decode_compiler_reply(std::string_view bytes);

}  // namespace tessera
