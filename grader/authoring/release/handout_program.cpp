#include "grader/authoring/release/handout_program.h"

#include <array>
#include <fstream>

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::array kPrograms = {"tessera", "tessera-interpreter", "tessera-compiler"};

/// Only builds with the CUDA Toolkit have it.
constexpr const char* kGpuProgram = "tessera-gpu";

/// The machine that an ELF file is for; "" for any other file.
std::string machine_of(const fs::path& program) {
  std::array<char, 20> header{};
  std::ifstream(program, std::ios::binary).read(header.data(), header.size());
  if (std::string_view(header.data(), 4) !=
      "\x7f"
      "ELF")
    return "";
  switch (static_cast<unsigned char>(header[18])) {  // e_machine; its high byte is 0 for these
    case 62:
      return "x86_64";
    case 183:
      return "aarch64";
    default:
      return "";
  }
}

}  // namespace

std::vector<fs::path> student_programs(const fs::path& program, const fs::path& kit) {
  std::error_code none;
  const bool built_here = fs::exists(program.parent_path() / "CMakeCache.txt", none);
  if (program.filename() == "tessera-staff" && !built_here) return {program.parent_path()};
  std::vector<fs::path> folders;
  for (const char* name : {"build-package", "build-package-arm64"}) {
    std::error_code ignored;
    if (fs::exists(kit / name / "tessera", ignored)) folders.push_back(kit / name);
  }
  return folders;
}

fs::path handout_program(const std::string& machine) {
  return fs::path("bin") / ("linux-" + machine) / kPrograms.front();
}

std::optional<Error> copy_program(const fs::path& from, const fs::path& handout) {
  const std::string machine = machine_of(from / kPrograms.front());
  if (machine.empty()) {
    return Error{
        .file = from.string(),
        .message =
            "holds no program tessera for Linux on x86-64 or arm64; name the folder of a build"};
  }
  const fs::path to = handout / handout_program(machine).parent_path();
  fs::create_directories(to);
  for (const char* program : kPrograms) fs::copy_file(from / program, to / program);
  if (fs::exists(from / kGpuProgram)) fs::copy_file(from / kGpuProgram, to / kGpuProgram);
  return std::nullopt;
}

}  // namespace tessera
