// The program's command line.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/run/buffer.cuh"

namespace host {

inline const char* name_of(Memory memory) {
  switch (memory) {
    case Memory::pageable:
      return "explicit: malloc, cudaMalloc, cudaMemcpy";
    case Memory::pinned:
      return "pinned: cudaMallocHost, cudaMemcpy";
    case Memory::managed:
      return "managed: cudaMallocManaged";
    case Memory::prefetched:
      return "managed, and cudaMemPrefetchAsync";
  }
  return "";
}

struct Options {
  std::map<std::string, int> shape;  // extents and other parameters of `launch`: "m", "block"
  std::vector<Memory> memories = {Memory::pageable};
  int repeat = 10;  // launches that are timed, after the first one
  int seed = 1;     // of the inputs

  int operator[](const char* name) const { return shape.at(name); }
};

[[noreturn]] inline void end_with_usage(const std::string& reason, const Options& defaults) {
  std::string text = reason.empty() ? "" : reason + "\n";
  text += "Options and their defaults:\n  --size N           all extents at once\n";
  for (const auto& [name, value] : defaults.shape) {
    text += "  --" + name + " " + std::to_string(value) + "\n";
  }
  text +=
      "  --memory explicit  or pinned, managed (without and with prefetching), all\n"
      "  --repeat 10        timed launches after the first one; 0 under ncu or a debugger\n"
      "  --seed 1           of the inputs\n";
  std::fputs(text.c_str(), reason.empty() ? stdout : stderr);
  std::exit(reason.empty() ? EXIT_SUCCESS : 2);
}

/// The options on the command line, with `defaults` ("m=2048 n=2048 k=2048 block=16") for the
/// others;
/// --size sets all `extents`. Ends the program after --help and after a mistake.
inline Options read_options(int argc, char** argv, const char* defaults,
                            std::initializer_list<const char*> extents) {
  Options options;
  std::istringstream words(defaults);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    options.shape[word.substr(0, equals)] = std::atoi(word.c_str() + equals + 1);
  }
  const Options start = options;
  const std::map<std::string, std::vector<Memory>> memories = {
      {"explicit", {Memory::pageable}},
      {"pinned", {Memory::pinned}},
      {"managed", {Memory::managed, Memory::prefetched}},
      {"all", {Memory::pageable, Memory::pinned, Memory::managed, Memory::prefetched}}};

  std::map<std::string, int> given;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") end_with_usage("", start);
    if (i + 1 == argc) end_with_usage(option + " needs a value.", start);
    const std::string value = argv[i + 1];
    if (option == "--memory") {
      const auto found = memories.find(value);
      if (found == memories.end()) end_with_usage("No such memory: " + value + ".", start);
      options.memories = found->second;
      continue;
    }
    char* end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 10);
    const bool may_be_zero = option == "--repeat" || option == "--seed";
    if (value.empty() || *end != '\0' || number < (may_be_zero ? 0 : 1) || number > (1 << 30)) {
      end_with_usage(option + " takes a whole number from " + (may_be_zero ? "0" : "1") +
                         " to 2^30, not '" + value + "'.",
                     start);
    }
    const std::string name = option.substr(std::min<std::size_t>(2, option.size()));
    if (option == "--repeat") {
      options.repeat = static_cast<int>(number);
    } else if (option == "--seed") {
      options.seed = static_cast<int>(number);
    } else if (option == "--size") {
      for (const char* extent : extents) options.shape[extent] = static_cast<int>(number);
    } else if (option.rfind("--", 0) == 0 && options.shape.count(name) != 0) {
      given[name] = static_cast<int>(number);  // overrides --size in any order
    } else {
      end_with_usage("Unknown option " + option + ".", start);
    }
  }
  for (const auto& [name, value] : given) options.shape[name] = value;
  return options;
}

}  // namespace host
