// Kernels that ignore a lesson, made from one that does: the same work by a single thread, with
// useless shared memory, with atomics for stores, and with the lesson only in the shapes that are
// counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

/// `source` with the lab's kernel run by a single thread, which does the work of all threads one
/// after the other. As this takes long, many threads work in shapes that are larger than
/// the largest visible case. Nothing if that is too large for one thread, if the threads of
/// a block work together, if an extent is not among the kernel's arguments, or if there is no such
/// kernel.
std::optional<std::string> by_one_thread(const Lab& lab, const std::string& source);

/// `source` in which each thread also stores to a shared array and reads it again, to no end.
/// Nothing if there is no such kernel.
std::optional<std::string> with_useless_shared_memory(const Lab& lab, const std::string& source);

/// `source` with atomic exchanges in place of the stores to the output. Nothing if no such store is
/// found.
std::optional<std::string> with_atomic_stores(const Lab& lab, const std::string& source);

/// A kernel that does as `reference` in the shapes of visible counted cases, and as `plain` in all
/// others. Nothing if an extent is not among the kernel's arguments.
std::optional<std::string> only_where_counted(const Lab& lab, const std::string& reference,
                                              const std::string& plain);

/// `source` with the kernel `given` under the name of the lab's kernel, which gets another name.
std::string given_kernel(const Lab& lab, const std::string& source, const std::string& given);

/// The names of the other kernels in `source`.
std::vector<std::string> given_kernels(const Lab& lab, const std::string& source);

}  // namespace tessera
