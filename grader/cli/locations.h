// Where the kit's parts are on this machine.
#pragma once

#include <filesystem>

#include "common/expected.h"
#include "grader/cli/exit_status.h"
#include "grader/report/report.h"

namespace tessera {

struct Locations {
  std::filesystem::path labs;         // empty: none are here (find_kit)
  std::filesystem::path solutions;    // beside labs; may not exist
  std::filesystem::path datasets;     // beside labs, else the kit's
  std::filesystem::path include_dir;  // holds tessera/lab.cuh
  std::filesystem::path devices;      // device profiles
  std::filesystem::path interpreter;  // what executes submissions: beside this program
  std::filesystem::path compiler;     // what compiles them: beside it
  std::filesystem::path gpu_worker;   // what drives GPUs: there too, in builds with CUDA
  std::filesystem::path cache;        // of compilations; empty where none can be written
};

/// `labs` as given on the command line; empty: the folder `labs` of the current directory or of one
/// above it, else the one this program was built from; a program that was installed has none.
/// Errors: no such directory, no device headers, labs of a newer Tessera.
Expected<Locations> find_locations(const std::filesystem::path& labs);

/// The same for what needs no labs: where find_locations("") finds none, `labs` and `solutions` are
/// empty, and labs of a newer Tessera are no error.
Expected<Locations> find_kit();

/// The folder `labs` of the current directory or of one above it, empty if neither has labs.
std::filesystem::path labs_here();

/// What came with this program: labs/, common/, datasets/.
const std::filesystem::path& home_folder();

/// This program, behind links to it.
std::filesystem::path program_file();

/// Colours where standard output is a terminal and NO_COLOR is not set; lines as wide as a terminal
/// that is narrower than 100 columns; pictures in ASCII where the locale is not one of UTF-8.
TextOptions terminal_options();

/// "tessera: " and the error, on standard error.
void print_error(const Error& error);

/// Prints the error; the status for it.
ExitStatus usage_error(const Error& error);
ExitStatus infrastructure_error(const Error& error);

/// A seed that can be typed: 32 bits of std::random_device.
std::uint64_t fresh_seed();

/// 128 bits of the system's random source that nobody can guess, in hexadecimal.
std::string fresh_key();

/// Nothing where a file can be written at `path`; else the error, before any work is lost.
std::optional<Error> check_writable(const std::filesystem::path& path);

}  // namespace tessera
