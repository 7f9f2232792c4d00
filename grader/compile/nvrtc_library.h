// NVRTC, loaded at run time, so that programs start on a machine without it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Exit statuses of a process that compiled with NVRTC, beside 0 for compiled.
enum class NvrtcStatus : int {
  compiled = 0,
  refused = 1,
  out_of_memory = 2,
  internal_error = 3,
  bad_option = 4,
};

struct NvrtcTask {
  std::string program;
  std::string file_name;
  std::vector<std::string> options;
  bool cubin = false;  // machine code too: the options name an architecture that has some
};

class NvrtcLibrary {
 public:
  /// The library stays loaded, so that only the first call takes time.
  static Expected<NvrtcLibrary> load(const std::filesystem::path& file);

  const std::string& name() const { return name_; }  // "nvrtc 13.0"

  /// Compiles in this process: PTX to standard output, and behind it a NUL and the machine code,
  /// both of one compilation; messages to standard error.
  NvrtcStatus compile(const NvrtcTask& task) const;

 private:
  struct Functions;

  std::shared_ptr<const Functions> functions_;
  std::string name_;
};

/// The file of the library that this machine has.
Expected<std::filesystem::path> find_nvrtc();

}  // namespace tessera
