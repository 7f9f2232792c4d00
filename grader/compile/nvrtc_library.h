// NVRTC, loaded at run time, so that programs start on a machine without it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Exit statuses of a process that compiled with NVRTC.
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
  bool cubin = false;  // also machine code: the options name a real architecture
};

class NvrtcLibrary {
 public:
  /// Loads the library, which stays loaded: only the first call takes time.
  static Expected<NvrtcLibrary> load(const std::filesystem::path& file);

  const std::string& name() const { return name_; }  // "nvrtc 13.0"

  /// Compiles in this process: writes the PTX to standard output, then a NUL and the machine code
  /// of the same compilation, and the messages to standard error.
  NvrtcStatus compile(const NvrtcTask& task) const;

 private:
  struct Functions;

  std::shared_ptr<const Functions> functions_;
  std::string name_;
};

/// The file of NVRTC on this machine.
Expected<std::filesystem::path> find_nvrtc();

}  // namespace tessera
