// Messages between the grader and the process that compiles (server/). The program's text, the
// compiler's output and its messages are in files in memory, which the grader makes and the
// compiling process gets as descriptors: the server in between never reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/process/child_process.h"

namespace tessera {

/// Increased with every change of the messages. Both sides are built together: another number means
/// that the installation is mixed.
inline constexpr std::uint32_t kCompilerVersion = 2;

/// The most bytes of one message on the channel.
inline constexpr std::uint64_t kMostCompilerMessageBytes = 64 << 10;
/// The most bytes of a child's task: a source has at most 1 MiB.
inline constexpr std::uint64_t kMostCompilerTaskBytes = std::uint64_t{64} << 20;

/// The exit status of a child that could not be confined and has compiled nothing.
inline constexpr int kNotConfined = 121;
/// The exit status of a child whose program was not found.
inline constexpr int kNoProgram = 127;

enum class CompilerTool { nvrtc_ptx, nvrtc_cubin, clang };

/// A request to the server, sent with three descriptors: the file that holds a CompilerTask, and
/// empty files for the compiler's output and log.
struct CompilerRequest {
  std::uint32_t version = kCompilerVersion;
  std::string library;  // the file of NVRTC, to be loaded first; empty: Clang compiles
  std::vector<std::string>
      readable;  // folders and files that the compiler may read in addition to the system's
  double cpu_seconds = 30;
};

/// What the compiling child does.
struct CompilerTask {
  CompilerTool tool = CompilerTool::nvrtc_ptx;
  std::string program;                 // the text to compile
  std::string file_name;               // NVRTC: the program's name in messages
  std::vector<std::string> arguments;  // NVRTC: options; Clang: its path and arguments
};

struct CompilerReply {
  std::uint32_t version = kCompilerVersion;
  std::string library;  // "nvrtc 13.0"; empty if it is not loaded
  std::string failure;  // why there is no result although the source is not at fault; or empty
  ChildResult::End end = ChildResult::End::exited;
  int status = 0;
};

std::string encode(const CompilerRequest& request);
std::string encode(const CompilerTask& task);
std::string encode(const CompilerReply& reply);

/// Each throws wire::WireError if the bytes are not such a message.
CompilerRequest decode_compiler_request(std::string_view bytes);
CompilerTask decode_compiler_task(std::string_view bytes);
CompilerReply decode_compiler_reply(std::string_view bytes);

}  // namespace tessera
