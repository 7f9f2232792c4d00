// Counters by source line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/line_profile.h"
#include "grader/simulator/exec/exec.h"

namespace tessera::sim {

/// Where in a file an instruction comes from.
struct SourcePlace {
  std::vector<int> lines;  // one; or those of which the compiler made one instruction; or none,
                           // where all that is known is a range
  LineRange range;         // around it; 0 where nothing is known

  /// The first of `lines`, 0 where there are none.
  int line() const { return lines.empty() ? 0 : lines.front(); }
  /// " (line 13 or line 15: the compiler made one instruction of them)"; "" for one line, and
  /// where nothing is known.
  Text remark() const;
};

/// Finds instructions in one source file.
class SourceLines {
 public:
  /// `names`: see RunRequest::name_lines. All three must outlive this.
  SourceLines(const Module& module, const std::string& file,
              const std::map<std::string, std::set<int>>& names)
      : module_(module), file_(file), names_(names) {}

  /// An instruction's line: its own, or that of the call that inlined it, or the last one before
  /// it. Where the compiler gives none, the lines that it may be, which are those that use
  /// `variable` where it accesses one. `source` is an index into the function's locations.
  SourcePlace place(const Function& function, std::uint32_t source,
                    const std::string& variable) const;

  const std::string& file() const { return file_; }

 private:
  bool in_file(int index) const;
  int line_of(const Function& function, std::uint32_t source) const;
  /// line_of() for all of a function's instructions.
  const std::vector<int>& lines_of(const Function& function) const;
  bool is_shared(const std::string& variable) const;
  /// The memory instruction at this place; nullptr where there is none.
  const SiteInfo* site_at(const Function& function, std::uint32_t source) const;

  /// Lines of one function's memory instructions that kept theirs.
  struct KeptLines {
    std::set<int> all;
    std::set<int> same_space;
    std::set<int> same_kind;
  };
  /// Of the function that holds `like`: those of one space, and those of its kind.
  const KeptLines& kept_lines(const SiteInfo& like, bool shared) const;
  std::vector<int> users(const Function& function, std::uint32_t source, LineRange range,
                         const std::string& variable) const;

  const Module& module_;
  const std::string& file_;
  const std::map<std::string, std::set<int>>& names_;
  // Made when they are asked for.
  mutable std::map<const Function*, std::vector<int>> lines_;
  mutable std::map<std::pair<const Function*, std::uint32_t>, const SiteInfo*> sites_;
  mutable std::map<std::tuple<std::uint32_t, bool, bool, bool>, KeptLines> kept_;
};

/// Adds requests, passes and the worst request (the first block's of those that are alike).
void add_count(AccessCount& to, const AccessCount& from);

/// What each memory instruction counted, over all workers.
std::vector<Site> sites_of_all(const std::vector<Worker>& workers);

/// By line; global before shared memory, loads before stores. Atomics are left out, and what has no
/// line. An access that the compiler made of several counts at the first of them.
std::vector<LineAccess> collect_lines(const Module& module, const std::vector<Site>& sites,
                                      const Launch& launch, const SourceLines& source);

}  // namespace tessera::sim
