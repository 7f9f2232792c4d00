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
  /// One line; several, if the compiler merged their accesses into one instruction; or none, if
  /// only the range is known.
  std::vector<int> lines;
  LineRange range;  // around them; zeros: not known
  int caller = 0;   // if its function was inlined, the line of the call in the outermost function

  /// The first of `lines`; 0 if there are none.
  int line() const { return lines.empty() ? 0 : lines.front(); }
  /// Returns " (line 13 or line 15: the compiler made one instruction of them)"; "" if the place is
  /// one line or not known.
  Text remark() const;
};

/// Finds the lines of instructions in one source file.
class SourceLines {
 public:
  /// `names`: see RunRequest::name_lines. All three must outlive this.
  SourceLines(const Module& module, const std::string& file,
              const std::map<std::string, std::set<int>>& names)
      : module_(module), file_(file), names_(names) {}

  /// Returns an instruction's line: its own, or that of the call that inlined it, or the last line
  /// before it. If the compiler merged it from several lines, returns those that it may stand for:
  /// the lines that use `variable`. `source` is an index into the function's locations.
  SourcePlace place(const Function& function, std::uint32_t source,
                    const std::string& variable) const;

  const std::string& file() const { return file_; }

 private:
  bool in_file(int index) const;
  int line_of(const Function& function, std::uint32_t source) const;
  int caller_of(const Function& function, std::uint32_t source) const;
  /// line_of() for all of a function's instructions.
  const std::vector<int>& lines_of(const Function& function) const;
  bool is_shared(const std::string& variable) const;
  /// The memory instruction at this place; nullptr if there is none.
  const SiteInfo* site_at(const Function& function, std::uint32_t source) const;

  /// Lines of those memory instructions of a function that the compiler did not merge.
  struct KeptLines {
    std::set<int> all;
    std::set<int> same_space;
    std::set<int> same_kind;
  };
  /// Returns the kept lines of the function that holds `like`: all, those in shared (or global)
  /// memory, and those of the kind of `like`.
  const KeptLines& kept_lines(const SiteInfo& like, bool shared) const;
  std::vector<int> users(const Function& function, std::uint32_t source, LineRange range,
                         const std::string& variable) const;

  const Module& module_;
  const std::string& file_;
  const std::map<std::string, std::set<int>>& names_;
  // Caches, filled on first use.
  mutable std::map<const Function*, std::vector<int>> lines_;
  mutable std::map<std::pair<const Function*, std::uint32_t>, const SiteInfo*> sites_;
  mutable std::map<std::tuple<std::uint32_t, bool, SiteKind>, KeptLines> kept_;
};

/// Adds the requests and passes of `from` to `to` and keeps the worse worst request; of equal ones,
/// that of the lower block.
void add_count(AccessCount& to, const AccessCount& from);

/// Returns the counters of each memory instruction, summed over all workers.
std::vector<Site> sites_of_all(const std::vector<Worker>& workers);

/// Returns the counters of each line; global before shared memory, loads before stores. Atomics and
/// instructions without a line are left out. An access that the compiler merged from several lines
/// counts at the first of them.
std::vector<LineAccess> collect_lines(const Module& module, const std::vector<Site>& sites,
                                      const Launch& launch, const SourceLines& source);

}  // namespace tessera::sim
