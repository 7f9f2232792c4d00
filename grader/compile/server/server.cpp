#include "grader/compile/server/server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "common/memory_file.h"
#include "grader/compile/server/confinement.h"
#include "grader/process/file_gate.h"
#include "grader/process/process_tree.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

constexpr int kBadRequest = 3;
constexpr std::size_t kDescriptors = 3;

std::optional<CompilerTask> read_task(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || status.st_size < 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > kMostCompilerTaskBytes) return std::nullopt;
  std::string bytes(size, '\0');
  if (pread(file, bytes.data(), size, 0) != status.st_size) return std::nullopt;
  try {
    return decode_compiler_task(bytes);
  } catch (const wire::WireError&) {
    return std::nullopt;
  }
}

/// Confines the process, or prints the reason to standard error, where the grader reads it.
bool confine(const CompilingRights& rights) {
  const auto reason = confine_to_compiling(rights);
  if (reason) std::fprintf(stderr, "%s", reason->c_str());
  return !reason;
}

/// Becomes Clang. Returns an exit status if it cannot.
int become_clang(const CompilingRights& rights, const CompilerTask& task) {
  MemoryFile program("tessera-program");
  if (!program.is_open() || !program.fill(task.program) ||
      dup2(program.descriptor(), STDIN_FILENO) < 0) {
    return kNotConfined;
  }
  std::vector<char*> words;
  for (const std::string& word : task.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (words.front() == nullptr) return kNoProgram;
  if (!confine(rights)) return kNotConfined;
  execv(words.front(), words.data());
  return kNoProgram;
}

/// Runs in the child. Closes the channel first: the compiler must not be able to speak for the
/// server.
int work(const NvrtcLibrary* nvrtc, const CompilerRequest& request, FileGate& files) {
  // If the machine has no such gate, only Landlock is left, and no thread can be started.
  const bool gated = !files.enter();
  close_descriptors_from(STDERR_FILENO + 1);
  const auto task = read_task(STDIN_FILENO);
  if (!task) return kNotConfined;
  const CompilingRights rights{.readable = {request.readable.begin(), request.readable.end()},
                               .executes = task->tool == CompilerTool::clang,
                               .threads = gated};
  if (rights.executes) return become_clang(rights, *task);
  if (nvrtc == nullptr || !confine(rights)) return kNotConfined;
  const NvrtcTask source{.program = task->program,
                         .file_name = task->file_name,
                         .options = task->arguments,
                         .cubin = task->tool == CompilerTool::nvrtc_cubin};
  return static_cast<int>(nvrtc->compile(source));
}

CompilerReply failed(const std::string& message) {
  return {.library = {}, .failure = message};
}

}  // namespace

Expected<const NvrtcLibrary*> CompilerServer::library(const std::string& file) {
  if (file.empty()) return nullptr;
  auto known = libraries_.find(file);
  if (known == libraries_.end()) {
    auto loaded = NvrtcLibrary::load(file);
    if (!loaded) return loaded.error();
    known = libraries_.emplace(file, *std::move(loaded)).first;
  }
  return &known->second;
}

CompilerReply CompilerServer::answer(const CompilerRequest& request,
                                     const std::vector<int>& descriptors, int lifeline) {
  if (descriptors.size() != kDescriptors) return failed("a request without its files");
  const auto nvrtc = library(request.library);
  if (!nvrtc) return failed(nvrtc.error().str());
  const ChildStreams streams{
      .input = descriptors[0], .output = descriptors[1], .log = descriptors[2]};
  FileGate files(readable_to_compilers({request.readable.begin(), request.readable.end()}));
  const auto result =
      run_forked_on(streams, [&] { return work(*nvrtc, request, files); },
                    {.cpu_seconds = request.cpu_seconds, .lifeline = lifeline, .files = &files});
  if (!result) return failed(result.error().str());
  return {.library = *nvrtc == nullptr ? "" : (*nvrtc)->name(),
          .failure = {},
          .end = result->end,
          .status = result->status};
}

int serve_compiler(Channel channel) {
  CompilerServer server;
  try {
    for (;;) {
      std::vector<int> descriptors;
      const auto bytes = channel.receive(kMostCompilerMessageBytes, &descriptors);
      if (!bytes) return EXIT_SUCCESS;
      const CompilerReply reply =
          server.answer(decode_compiler_request(*bytes), descriptors, channel.descriptor());
      for (const int descriptor : descriptors) close(descriptor);
      if (!channel.send(encode(reply))) return EXIT_SUCCESS;
    }
  } catch (const wire::WireError&) {
    return kBadRequest;
  }
}

}  // namespace tessera
