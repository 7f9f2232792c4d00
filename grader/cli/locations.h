// Where the kit's parts are on this machine.
#pragma once

#include <filesystem>

#include "common/expected.h"
#include "grader/cli/exit_status.h"
#include "grader/compile/compiler.h"
#include "grader/lab/kit_folders.h"
#include "grader/report/report.h"

namespace tessera {

struct Locations {
  /// `labs` is empty if find_kit() found none. Solutions are looked for beside the labs; datasets
  /// too, otherwise the kit's are used.
  KitFolders kit;
  CompilerSetup compiler;             // beside this program; no cache if none can be written
  std::filesystem::path interpreter;  // executes submissions: beside this program
  std::filesystem::path gpu_worker;   // drives GPUs: there too, in builds with CUDA
};

/// `labs` as given on the command line; empty: the folder `labs` of the current directory or of one
/// above it, else the labs of the kit that this program belongs to (home_folder()); an installed
/// program has none. Errors: no such directory, no device headers, labs of a newer Tessera.
Expected<Locations> find_locations(const std::filesystem::path& labs);

/// The same for commands that need no labs: if find_locations("") finds none, their
/// folders are empty, and labs of a newer Tessera are no error.
Expected<Locations> find_kit();

/// The folder `labs` of the current directory or of one above it, empty if neither has labs.
std::filesystem::path labs_here();

/// The folder that came with this program: labs/, common/, datasets/.
const std::filesystem::path& home_folder();

/// The file of this program, with links resolved.
std::filesystem::path program_file();

/// Colours if standard output is a terminal and NO_COLOR is not set; lines no wider than the
/// terminal, at most 100 columns; pictures in ASCII if the locale is not UTF-8.
TextOptions terminal_options();

/// Prints "tessera: " and the error on standard error.
void print_error(const Error& error);

/// Prints the error; returns its exit status.
ExitStatus usage_error(const Error& error);
ExitStatus infrastructure_error(const Error& error);

/// A random seed below kSeeds (common/seed.h).
std::uint64_t fresh_seed();

/// 128 unguessable bits of the system's random source, in hexadecimal.
std::string fresh_key();

/// An error if no file can be written at `path`, before any work is lost.
std::optional<Error> check_writable(const std::filesystem::path& path);

}  // namespace tessera
