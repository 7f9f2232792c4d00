// Kernels that ignore a lesson, made of one that does: the same work by a single thread, with
// shared memory that nobody needs, with atomics for stores, and with the lesson only where it is
// counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

/// `source` with the lab's kernel run by one thread of one block, which does the work of all
/// threads one after the other. Nothing where the threads of a block work together, where an extent
/// is not among the kernel's arguments, or where there is no such kernel.
std::optional<std::string> by_one_thread(const Lab& lab, const std::string& source);

/// `source` in which each thread also stores to a shared array and reads it again, for nothing.
/// Nothing where there is no such kernel.
std::optional<std::string> with_useless_shared_memory(const Lab& lab, const std::string& source);

/// `source` in which what was stored to the output is exchanged atomically. Nothing where no such
/// store is found.
std::optional<std::string> with_atomic_stores(const Lab& lab, const std::string& source);

/// A kernel that is `reference` in the shapes of the visible cases that are counted, and `plain` in
/// all others. Nothing where an extent is not among the kernel's arguments.
std::optional<std::string> only_where_counted(const Lab& lab, const std::string& reference,
                                              const std::string& plain);

/// The kernel `given` of `source` under the name of the lab's kernel, whose own gets another name.
std::string given_kernel(const Lab& lab, const std::string& source, const std::string& given);

/// The names of the other kernels in `source`.
std::vector<std::string> given_kernels(const Lab& lab, const std::string& source);

}  // namespace tessera
