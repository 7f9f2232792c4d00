// A class that does not exist, for tests and for measuring: its submissions as a course system lays
// them out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

struct ClassRequest {
  std::filesystem::path kit;  // holds labs/ and solutions/
  int students = 300;
  std::uint64_t seed = 1;
  double own_share = 0.5;  // of the kernels, that are unlike all others; the rest are copied
  bool hostile = false;    // with hostile_submissions() as further students
};

/// A submission that tries something, and the result that it must get.
struct HostileSubmission {
  std::string name;      // of the student: "archive bomb"
  std::string file;      // what is handed in, for Canvas' layout: a file's name
  std::string content;   // its bytes
  std::string expected;  // a word of its item's status or of its problem, see made_up_class_test
};

/// For the lab 03-tiled, each alone.
std::vector<HostileSubmission> hostile_submissions();

/// Writes into the existing folder `into` what Canvas' download of one assignment holds, unpacked:
/// for each student an archive with a kernel for every lab. Some kernels are right, some wrong
/// (solutions/*/wrong), some do not compile, some are the untouched skeleton, some are missing; the
/// same for the same seed. Hostile students hand in one file. Returns how many students there are.
int write_class(const ClassRequest& request, const std::filesystem::path& into);

}  // namespace tessera
