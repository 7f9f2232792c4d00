// Decides whose fault it is when a process that works on a submission fails.
#pragma once

#include <stdexcept>
#include <utility>

#include "common/wording.h"

namespace tessera {

/// A process that worked on a submission ended before it was done, reported a failure, or gave an
/// impossible answer. The submission may be the cause: with_second_try() finds out.
struct ProcessCrash : std::runtime_error {
  explicit ProcessCrash(Text reason) : std::runtime_error(reason.str()), why(std::move(reason)) {}
  Text why;
};

/// No process could be started for a submission: the fault of this machine, not of the submission.
struct NoProcess : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Calls work(), and after a ProcessCrash once more: a process may die for another reason. A
/// ProcessCrash of the second try is the submission's fault.
template <class Work>
auto with_second_try(const Work& work) {
  try {
    return work();
  } catch (const ProcessCrash&) {
    return work();
  }
}

}  // namespace tessera
