#include "grader/simulator/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::sim {
namespace {

/// A message that lists more lines than these helps no reader.
constexpr std::size_t kMostLines = 4;

bool same_file(const std::string& path, const std::string& name) {
  const std::size_t slash = path.rfind('/');
  return (slash == std::string::npos ? path : path.substr(slash + 1)) == name;
}

/// The shared variable that holds the addresses of all lanes of the worst request; nullptr if there
/// is none.
const SharedVariable* shared_variable_of(const AccessCount& count, const Launch& launch) {
  const SharedVariable* variable = launch.shared_before(count.worst_low);
  const bool inside = variable != nullptr && count.worst_high - variable->address < variable->size;
  return inside ? variable : nullptr;
}

/// The buffer that holds the addresses of all lanes of the worst request; nullptr if there is none.
const BufferInfo* buffer_of(const AccessCount& count, const Launch& launch) {
  const Allocation* allocation = std::as_const(*launch.memory).find(count.worst_low);
  const bool inside =
      allocation != nullptr && count.worst_high - allocation->address < allocation->size;
  return inside ? &allocation->info : nullptr;
}

std::string variable_of(const AccessCount& count, LineAccess::Memory memory, const Launch& launch) {
  if (memory == LineAccess::Memory::shared) {
    const SharedVariable* variable = shared_variable_of(count, launch);
    return variable == nullptr ? "" : variable->name;
  }
  const BufferInfo* buffer = buffer_of(count, launch);
  return buffer == nullptr ? "" : buffer->name;
}

/// The worst request's shape, with the name of its variable if the request took more passes than
/// its ideal.
AccessShape named(const AccessCount& count, LineAccess::Memory memory, const Launch& launch) {
  AccessShape shape = count.worst;
  if (count.worst_excess == 0) return shape;
  if (memory == LineAccess::Memory::shared) {
    const SharedVariable* variable = shared_variable_of(count, launch);
    if (variable == nullptr) return shape;
    shape.variable = variable->name;
    if (variable->shape.extents.size() > 1) {
      shape.row_bytes = static_cast<std::uint32_t>(variable->shape.extents.back()) *
                        variable->shape.element_bytes;
    }
  } else if (const BufferInfo* buffer = buffer_of(count, launch)) {
    shape.variable = buffer->name;
    shape.row_bytes = buffer->pitch * buffer->element_bytes;
  }
  return shape;
}

}  // namespace

Text SourcePlace::remark() const {
  if (lines.size() == 1 || range.first == 0) return {};
  if (lines.empty() && range.first == range.last)
    return say(Phrase::made_of_one, SourceLine{range.first});
  if (lines.empty())
    return say(Phrase::made_of_range, SourceLine{range.first}, SourceLine{range.last});
  Text text = say(Phrase::made_of_first, SourceLine{lines.front()});
  for (std::size_t i = 1; i < lines.size(); ++i) {
    text += say(i + 1 == lines.size() ? Phrase::made_of_last : Phrase::made_of_next,
                SourceLine{lines[i]});
  }
  return text;
}

bool SourceLines::in_file(int index) const {
  const auto found = module_.files.find(index);
  return found != module_.files.end() && same_file(found->second, file_);
}

int SourceLines::line_of(const Function& function, std::uint32_t source) const {
  return lines_of(function)[source];
}

int SourceLines::caller_of(const Function& function, std::uint32_t source) const {
  const ptx::Location& at = function.locations[source];
  return at.outermost_line != 0 && in_file(at.inlined_file) ? at.outermost_line : 0;
}

const std::vector<int>& SourceLines::lines_of(const Function& function) const {
  const auto [entry, fresh] = lines_.try_emplace(&function);
  std::vector<int>& lines = entry->second;
  if (!fresh) return lines;
  int line = 0;
  for (const ptx::Location& at : function.locations) {
    if (at.line != 0 && in_file(at.file)) {
      line = at.line;
    } else if (at.inlined_line != 0 && in_file(at.inlined_file)) {
      line = at.inlined_line;
    }
    lines.push_back(line);
  }
  return lines;
}

bool SourceLines::is_shared(const std::string& variable) const {
  return std::ranges::any_of(module_.kernels, [&](const auto& kernel) {
    return std::ranges::count(kernel.second.shared, variable, &SharedVariable::name) > 0;
  });
}

const SiteInfo* SourceLines::site_at(const Function& function, std::uint32_t source) const {
  if (sites_.empty()) {
    for (const SiteInfo& site : module_.sites)
      sites_.try_emplace({&module_.functions[site.function], site.source}, &site);
  }
  const auto found = sites_.find({&function, source});
  return found == sites_.end() ? nullptr : found->second;
}

const SourceLines::KeptLines& SourceLines::kept_lines(const SiteInfo& like, bool shared) const {
  const auto [entry, fresh] = kept_.try_emplace(std::make_tuple(like.function, shared, like.kind));
  KeptLines& kept = entry->second;
  if (!fresh) return kept;
  const Function& function = module_.functions[like.function];
  const std::string space = shared ? ".shared" : ".global";
  for (const SiteInfo& site : module_.sites) {
    if (site.function != like.function || function.locations[site.source].merged) continue;
    const int line = line_of(function, site.source);
    if (line == 0) continue;
    kept.all.insert(line);
    if (function.texts[site.source].find(space) != std::string::npos) kept.same_space.insert(line);
    if (site.kind == like.kind) kept.same_kind.insert(line);
  }
  return kept;
}

std::vector<int> SourceLines::users(const Function& function, std::uint32_t source, LineRange range,
                                    const std::string& variable) const {
  const auto named = names_.find(variable);
  const SiteInfo* here = site_at(function, source);
  if (named == names_.end() || here == nullptr) return {};
  // Lines that kept an access to this memory, or of this kind, less likely lost this one.
  const KeptLines& kept = kept_lines(*here, is_shared(variable));
  LineRange whole = range;
  if (!kept.all.empty())
    whole = {std::min(whole.first, *kept.all.begin()), std::max(whole.last, *kept.all.rbegin())};
  const auto lines_in = [&](LineRange searched, const std::set<int>& taken) {
    std::vector<int> lines;
    for (auto line = named->second.lower_bound(searched.first);
         line != named->second.end() && *line <= searched.last && lines.size() <= kMostLines;
         ++line) {
      if (!taken.contains(*line)) lines.push_back(*line);
    }
    return lines;
  };
  std::vector<int> lines = lines_in(range, kept.same_space);
  if (lines.empty()) lines = lines_in(range, kept.same_kind);
  if (lines.empty()) lines = lines_in(range, {});
  // The compiler may also have moved the access out of a loop.
  if (lines.empty()) lines = lines_in(whole, kept.same_space);
  return lines.size() <= kMostLines ? lines : std::vector<int>{};
}

SourcePlace SourceLines::place(const Function& function, std::uint32_t source,
                               const std::string& variable) const {
  if (!function.locations[source].merged) {
    const int line = line_of(function, source);
    if (line == 0) return {};
    return {{line}, {line, line}, caller_of(function, source)};
  }
  const auto merged = function.merged.find(source);
  if (merged == function.merged.end()) return {};
  for (const auto& [index, range] : merged->second) {
    if (!in_file(index)) continue;
    std::vector<int> lines = users(function, source, range, variable);
    if (lines.empty() && range.first == range.last) lines = {range.first};
    if (lines.empty()) return {{}, range, 0};
    return {lines, {lines.front(), lines.back()}, 0};
  }
  return {};
}

void add_count(AccessCount& to, const AccessCount& from) {
  if (from.requests == 0) return;
  const bool first = to.requests == 0;
  to.requests += from.requests;
  to.pieces += from.pieces;
  to.least += from.least;
  to.cache_lines += from.cache_lines;
  const bool worse = from.worst_excess > to.worst_excess;
  const bool earlier = from.worst_excess == to.worst_excess && from.worst_block < to.worst_block;
  if (!first && !worse && !earlier) return;
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
                                      const Launch& launch, const SourceLines& source) {
  using Memory = LineAccess::Memory;
  std::map<std::tuple<int, Memory, bool>, AccessCount> counts;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const SiteInfo& info = module.sites[i];
    if (info.kind == SiteKind::atomic) continue;
    const Function& function = module.functions[info.function];
    const std::pair<Memory, const AccessCount*> both[] = {{Memory::global, &sites[i].global},
                                                          {Memory::shared, &sites[i].shared}};
    for (const auto& [memory, count] : both) {
      if (count->requests == 0) continue;
      const std::string variable = variable_of(*count, memory, launch);
      const int line = source.place(function, info.source, variable).line();
      if (line != 0) add_count(counts[{line, memory, info.kind != SiteKind::load}], *count);
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
