#include "grader/simulator/lines.h"

#include <map>
#include <tuple>

namespace tessera::sim {
namespace {

bool same_file(const std::string& path, const std::string& name) {
  const std::size_t slash = path.rfind('/');
  return (slash == std::string::npos ? path : path.substr(slash + 1)) == name;
}

/// The worst request's shape with the variable that all its lanes lie in.
AccessShape named(const AccessCount& count, LineAccess::Memory memory, const Launch& launch) {
  AccessShape shape = count.worst;
  if (memory == LineAccess::Memory::shared) {
    for (const SharedVariable& variable : launch.shared) {
      if (count.worst_low - variable.address < variable.size &&
          count.worst_high - variable.address < variable.size) {
        shape.variable = variable.name;
      }
    }
    return shape;
  }
  const Allocation* allocation = std::as_const(*launch.memory).find(count.worst_low);
  if (allocation == nullptr || count.worst_high - allocation->address >= allocation->size)
    return shape;
  shape.variable = allocation->info.name;
  shape.row_bytes = allocation->info.pitch * allocation->info.element_bytes;
  return shape;
}

}  // namespace

int source_line(const Module& module, const Function& function, std::uint32_t source,
                const std::string& file) {
  const auto in_file = [&](int index) {
    const auto found = module.files.find(index);
    return found != module.files.end() && same_file(found->second, file);
  };
  for (std::uint32_t i = source + 1; i-- > 0;) {
    const ptx::Location& at = function.locations[i];
    if (at.line != 0 && in_file(at.file)) return at.line;
    if (at.inlined_line != 0 && in_file(at.inlined_file)) return at.inlined_line;
  }
  return 0;
}

void add_count(AccessCount& to, const AccessCount& from) {
  to.requests += from.requests;
  to.pieces += from.pieces;
  to.least += from.least;
  const bool worse = from.worst_excess > to.worst_excess;
  const bool earlier = from.worst_excess == to.worst_excess && from.worst_block < to.worst_block;
  if (!worse && !earlier) return;
  to.worst_excess = from.worst_excess;
  to.worst_block = from.worst_block;
  to.worst_low = from.worst_low;
  to.worst_high = from.worst_high;
  to.worst = from.worst;
}

std::vector<Site> sites_of_all(const std::vector<Worker>& workers) {
  std::vector<Site> sites = workers.front().sites;
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      add_count(sites[i].global, workers[w].sites[i].global);
      add_count(sites[i].shared, workers[w].sites[i].shared);
    }
  }
  return sites;
}

std::vector<LineAccess> collect_lines(const Module& module, const std::vector<Site>& sites,
                                      const Launch& launch, const std::string& file) {
  using Memory = LineAccess::Memory;
  std::map<std::tuple<int, Memory, bool>, AccessCount> counts;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const SiteInfo& info = module.sites[i];
    if (info.atomic) continue;
    const int line = source_line(module, module.functions[info.function], info.source, file);
    if (line == 0) continue;
    const std::pair<Memory, const AccessCount*> both[] = {{Memory::global, &sites[i].global},
                                                          {Memory::shared, &sites[i].shared}};
    for (const auto& [memory, count] : both) {
      if (count->requests != 0) add_count(counts[{line, memory, info.store}], *count);
    }
  }
  std::vector<LineAccess> lines;
  for (const auto& [key, count] : counts) {
    const auto& [line, memory, store] = key;
    lines.push_back({line, memory, store, count.requests, count.pieces, count.least,
                     named(count, memory, launch)});
  }
  return lines;
}

}  // namespace tessera::sim
