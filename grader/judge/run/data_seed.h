// What is drawn for one case of a grading: its inputs, and all that the grader varies in a run.
#pragma once

#include <cstdint>

namespace tessera {

/// What a number is drawn for.
enum class Purpose : std::uint8_t {
  input,          // by index: the values of an operand
  addresses,      // where buffers lie
  poison,         // what words hold that were never written
  schedule,       // RunRequest::key
  readable,       // RunRequest::readable_key
  product_check,  // the vectors that a large product is verified with
};

/// A seed and the number of a case (from 1). From a number that a kernel can read it cannot compute
/// the seed or any other number.
class DataSeed {
 public:
  DataSeed(std::uint64_t seed, std::uint64_t number) : seed_(seed), number_(number) {}

  std::uint64_t number_for(Purpose purpose, std::uint64_t index = 0) const;

 private:
  std::uint64_t seed_;
  std::uint64_t number_;
};

}  // namespace tessera
