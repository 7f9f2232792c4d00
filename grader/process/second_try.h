// Processes that work on a submission, and whose fault it is when one of them fails.
#pragma once

#include <stdexcept>
#include <utility>

#include "common/wording.h"

namespace tessera {

/// A process that worked on a submission ended in the midst of it, said that it failed, or answered
/// what cannot be. The submission may have made it do so: with_second_try() finds out.
struct ProcessCrash : std::runtime_error {
  explicit ProcessCrash(Text reason) : std::runtime_error(reason.str()), why(std::move(reason)) {}
  Text why;
};

/// No process can be had that a submission could be given to: this machine's fault, and no
/// submission's.
struct NoProcess : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// work(), and after a ProcessCrash once more: a process may die of something else. The
/// ProcessCrash of the second try speaks against the submission.
template <class Work>
auto with_second_try(const Work& work) {
  try {
    return work();
  } catch (const ProcessCrash&) {
    return work();
  }
}

}  // namespace tessera
