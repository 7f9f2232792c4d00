#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "common/mixed.h"
#include "grader/simulator/exec/async_products.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/matrix_pieces.h"
#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::sim {
namespace {

using ptx::Space;

constexpr std::uint32_t kRowsOfWarp = 16;  // of the 64 of A and of the sums
constexpr std::uint32_t kPiece = MatrixDescriptor::kPieceBytes;
constexpr std::uint32_t kElement = MatrixDescriptor::kElementBytes;
constexpr std::uint32_t kElementsOfPiece = MatrixDescriptor::kElementsOfPiece;
constexpr std::uint32_t kSign = 0x8000;         // of an element
constexpr std::size_t kMostProducts = 1 << 12;  // of a warp, running
constexpr std::size_t kMostAhead = 1 << 20;     // that warps are ahead of another of their group
constexpr unsigned kReader = 0;  // the lane that stands for its warp where a product reads

TensorType type_of(const Inst* inst) {
  return static_cast<TensorType>(inst->target & ProductFlags::kType);
}

bool has(const Inst* inst, std::uint32_t flag) {
  return (inst->target & flag) != 0;
}

Matrix matrix_a(const Warp& warp, const Inst* inst, std::uint64_t descriptor) {
  return {{descriptor, has(inst, ProductFlags::kTransposedA)},
          warp.index % kWarpsOfGroup * kRowsOfWarp,
          kRowsOfWarp};
}

Matrix matrix_b(const Inst* inst, std::uint64_t descriptor) {
  return {{descriptor, has(inst, ProductFlags::kTransposedB)}, 0, inst->count};
}

// ---- the order of accesses

/// Where a product reads what no fence.proxy.async has made visible to it.
void note_unfenced(Warp& warp, const Inst* inst, const Place& place, std::uint32_t site,
                   std::uint32_t writer) {
  const FindingKey key{FindingKind::missing_fence, warp.frame->function, inst->source,
                       place.variable->name, site};
  warp.worker->note(key, 1, [&](FindingNote& note) {
    note.product.emplace();
    note.product->mistake = ProductMistake::unfenced_store;
    note.product->element = element_at(*place.variable, place.address);
    note.product->thread =
        to_string(thread_of(warp.block->warps[writer / kLanes], writer % kLanes));
    name_thread(note, warp, kReader);
  });
}

/// The lane that stands for the warp where a product reads, as one of several.
std::uint32_t reader_of(const Warp& warp) {
  return Who::make(warp.index * kLanes + kReader, warp.sync_count) | Who::kSeveralLanes;
}

Moment moment_of(const Warp& warp, const ProxyFences::Fence& fence) {
  return {.block = static_cast<std::uint32_t>(warp.block->index),
          .who = Who::make(fence.thread, fence.sync_count),
          .epoch = fence.epoch,
          .time = fence.time,
          .sync_count = fence.sync_count,
          .known = &fence.met};
}

/// Whether a fence stands on every way from the store to the warp's product. The store is that of
/// another warp in this epoch, and mbarriers or flags order it before the product.
bool is_fenced(const Warp& warp, const Moment& store) {
  const AccessHistory& history = warp.worker->history;
  const MemoryOrder& order = history.order;
  const ProxyFences& fences = history.proxy_fences;
  const Moment product = moment_of(warp, kReader);
  // Of the storing warp: the first one after the store, for later ones reach no further.
  const std::uint32_t writer = Who::warp(store.who);
  for (const ProxyFences::Fence& fence : fences.of_warp(writer, store.epoch)) {
    if (!covers(fence.met, fence.sync_count, store.who)) continue;
    if (order.ordered(moment_of(warp, fence), product)) return true;
    break;
  }
  const auto follows = [&](const ProxyFences::Fence& fence) {
    return order.was_ordered(store, moment_of(warp, fence), fence.sequence);
  };
  // Of the multiplying warp: the last one, which follows most.
  const auto& own = fences.of_warp(warp.index, store.epoch);
  if (!own.empty() && follows(own.back())) return true;
  // Of another warp: the last one that the product follows.
  for (std::uint32_t other = 0; other < warp.block->warps.size(); ++other) {
    if (other == writer || other == warp.index) continue;
    const auto& all = fences.of_warp(other, store.epoch);
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const ProxyFences::Fence& fence) {
      return order.ordered(moment_of(warp, fence), product);
    });
    if (last != all.rend() && follows(*last)) return true;
  }
  return false;
}

ProxyFences::Store store_of(const Warp& warp, std::size_t granule) {
  const Shadow::Column& writes = warp.worker->history.shadow.writes;
  const std::uint32_t who = writes.who[granule];
  const Warp& writer = warp.block->warps[Who::warp(who)];
  return {.thread = Who::thread(who),
          .epoch = writes.epoch[granule],
          .sync_count = Who::synced(who, writer.sync_count)};
}

/// Checks that fences make the stores of a granule, which lie before the product, visible to it.
void check_fence(Warp& warp, const Inst* inst, std::size_t granule, const Place& place) {
  AccessHistory& history = warp.worker->history;
  const Shadow& shadow = history.shadow;
  if (!shadow.written(granule, history.now())) return;
  const std::uint32_t who = shadow.writes.who[granule];
  const std::uint32_t epoch = shadow.writes.epoch[granule];
  const std::uint32_t site = shadow.writes.site[granule];
  ProxyFences& fences = history.proxy_fences;
  if (epoch == history.epoch && Who::warp(who) != warp.index) {
    // It races, or an mbarrier or flag orders it.
    if (shadow.writes.time.empty()) return;
    const std::uint64_t time = shadow.writes.time[granule];
    if (fences.is_known(warp.index, Who::thread(who), epoch, time)) return;
    const Moment store{.block = static_cast<std::uint32_t>(warp.block->index),
                       .who = who,
                       .epoch = epoch,
                       .time = time,
                       .sync_count = store_of(warp, granule).sync_count};
    const bool races = !history.order.ordered(store, moment_of(warp, kReader));
    if (races) return;  // it has been noted
    if (is_fenced(warp, store)) return fences.know(warp.index, Who::thread(who), epoch, time);
    return note_unfenced(warp, inst, place, site, Who::thread(who));
  }
  if (!fences.between(store_of(warp, granule), warp.index, history.epoch))
    note_unfenced(warp, inst, place, site, Who::thread(who));
}

struct RunGranules {
  std::size_t first = 0;
  std::size_t end = 0;
  unsigned count() const { return static_cast<unsigned>(end - first); }
};
RunGranules granules_of(const Shadow& shadow, const MatrixPieces::Run& run) {
  return {shadow.granule(run.offset), shadow.granule(run.offset + run.bytes - 1) + 1};
}

/// Whether fences make the stores of all granules of the matrix, in earlier epochs, visible to the
/// warp's product.
bool are_fenced(const Warp& warp, MatrixPieces& pieces) {
  const AccessHistory& history = warp.worker->history;
  const ProxyFences& fences = history.proxy_fences;
  // No store came between the first check and one in the same epoch.
  if (pieces.fenced_in == history.epoch || fences.reach(warp.index, history.epoch)) return true;
  const Shadow& shadow = history.shadow;
  for (const MatrixPieces::Run& run : pieces.runs) {
    const RunGranules all = granules_of(shadow, run);
    for (std::size_t at = all.first; at < all.end; ++at) {
      if (at != all.first && shadow.written_together(at - 1, at)) continue;
      if (!fences.between(store_of(warp, at), warp.index, history.epoch)) return false;
    }
  }
  pieces.fenced_in = history.epoch;
  return true;
}

/// Records that the warp reads the matrix. Returns false if that needs a closer look, a piece at a
/// time.
bool read_whole(Warp& warp, std::uint32_t site, const MatrixPieces& pieces) {
  AccessHistory& history = warp.worker->history;
  if (pieces.runs.empty() || warp.worker->launch->keeps_readers) return false;
  const std::uint32_t reader = reader_of(warp);
  return std::ranges::all_of(pieces.runs, [&](const MatrixPieces::Run& run) {
    const RunGranules all = granules_of(history.shadow, run);
    return history.shadow.read_words(all.first, all.count(), reader, history.now(), site);
  });
}

/// Records that a product reads the matrix. Returns false if that needs a closer look, a piece at a
/// time.
bool begin_read(Warp& warp, const Inst* inst, const Matrix& matrix) {
  Worker& worker = *warp.worker;
  MatrixPieces& pieces = worker.matrices.pieces(*worker.launch, matrix);
  if (pieces.runs.empty()) return false;
  return !worker.checks_shared ||
         (read_whole(warp, inst->site, pieces) && are_fenced(warp, pieces));
}

/// Checks the read of a piece, and returns where it lies; nullptr if it lies nowhere.
const std::byte* read_piece(Warp& warp, const Inst* inst, const Place& place,
                            AsyncProduct& product) {
  Worker& worker = *warp.worker;
  const Launch& launch = *worker.launch;
  AccessHistory& history = worker.history;
  Shadow& shadow = history.shadow;
  const Now now = history.now();
  const std::uint64_t offset = place.address - launch.shared_low;
  if (place.variable != nullptr && !worker.checks_shared) return worker.shared.data() + offset;
  if (place.variable != nullptr) {
    const std::size_t first = shadow.granule(offset);
    const std::size_t end = shadow.granule(offset + kPiece - 1) + 1;
    const bool clean =
        !launch.keeps_readers && shadow.read_words(first, static_cast<unsigned>(end - first),
                                                   reader_of(warp), now, inst->site);
    for (std::size_t at = first; at < end; ++at) {
      product.stored_before |=
          !clean && (shadow.writes.epoch[at] == now.epoch || shadow.on_the_way(at));
      product.met_copies |= !clean && shadow.on_the_way(at);
      if (at == first || !shadow.written_together(at - 1, at)) check_fence(warp, inst, at, place);
    }
    if (clean || kept_read_clean(warp, inst, kReader, place.address, kPiece))
      return worker.shared.data() + offset;
  }
  return lane_pointer(warp, inst, kReader, Space::shared, place.address, kPiece, Access::read);
}

void note_overwritten(Warp& warp, const Inst* wait, const AsyncProduct& product, const Place& place,
                      std::size_t granule) {
  Worker& worker = *warp.worker;
  const Shadow& shadow = worker.history.shadow;
  const SiteInfo& site = worker.launch->module->sites[shadow.writes.site[granule]];
  const FindingKey key{FindingKind::unfinished_product,
                       &worker.launch->module->functions[site.function], site.source,
                       place.variable->name, product.inst->site};
  worker.note(key, 1, [&](FindingNote& note) {
    note.product.emplace();
    note.product->mistake = ProductMistake::overwritten;
    note.product->element = element_at(*place.variable, place.address);
    note.product->verb = verb_of_change(site.kind);
    note.product->wait_site = wait->site;
    const std::uint32_t thread = Who::thread(shadow.writes.who[granule]);
    name_thread(note, worker.block.warps[thread / kLanes], thread % kLanes);
  });
}

/// Whether the granule was written, or a copy into it begun, after the product began. A store of
/// another warp in the same epoch races with the product, and has been noted, unless a flag orders
/// it.
template <class HasChanged>
bool written_since(Warp& warp, const AsyncProduct& product, std::size_t granule,
                   std::uint64_t address, const HasChanged& has_changed) {
  Worker& worker = *warp.worker;
  const Shadow& shadow = worker.history.shadow;
  const std::uint32_t who = shadow.writes.who[granule];
  std::uint32_t epoch = shadow.writes.epoch[granule];
  if (shadow.on_the_way(granule)) {
    const AsyncCopy* copy = copy_on_the_way(worker, Who::thread(who), address);
    if (copy != nullptr) epoch = copy->epoch;
    if (epoch == product.epoch && Who::warp(who) == warp.index && !product.met_copies) return true;
  }
  if (epoch != product.epoch) return epoch > product.epoch;
  return (Who::warp(who) == warp.index && !product.stored_before) || has_changed();
}

/// Hands the product's matrices that lie in shared memory to take(matrix).
template <class Take>
void each_matrix(const Warp& warp, const AsyncProduct& product, const Take& take) {
  if (!has(product.inst, ProductFlags::kRegistersOfA))
    take(matrix_a(warp, product.inst, product.a));
  take(matrix_b(product.inst, product.b));
}

/// Hands each piece of the matrix that lies in a variable to take(place).
template <class Take>
void each_place(const Warp& warp, const Matrix& matrix, const Take& take) {
  each_piece(*warp.worker->launch, matrix, [&](const Place& place, std::uint32_t, std::uint32_t) {
    if (place.variable != nullptr) take(place);
  });
}

/// A number that stands for kBytes bytes and for `hash`, a number of this kind.
template <std::size_t kBytes>
std::uint64_t hash_with(std::uint64_t hash, const void* from) {
  std::array<std::uint64_t, kBytes / sizeof hash> words;
  std::memcpy(words.data(), from, kBytes);
  for (const std::uint64_t word : words) hash = mixed(hash ^ word);
  return hash;
}

/// A number that stands for what the product's matrices hold.
std::uint64_t hash_of_matrices(Warp& warp, const AsyncProduct& product) {
  const Worker& worker = *warp.worker;
  std::uint64_t hash = 0;
  each_matrix(warp, product, [&](const Matrix& matrix) {
    each_place(warp, matrix, [&](const Place& place) {
      const std::byte* from = worker.shared.data() + (place.address - worker.launch->shared_low);
      hash = hash_with<kPiece>(hash, from);
    });
  });
  return hash;
}

/// Ends a product, which may have read its matrices as late as here: notes what was written since,
/// and reads once more, so that a barrier must come before the next store.
void end_product(Warp& warp, const Inst* wait, const AsyncProduct& product) {
  Worker& worker = *warp.worker;
  if (!worker.checks_shared) return;
  AccessHistory& history = worker.history;
  Shadow& shadow = history.shadow;
  const Launch& launch = *worker.launch;
  std::optional<bool> changed;  // costs time
  const auto has_changed = [&] {
    if (!changed)
      changed = (launch.fences || product.stored_before) &&
                hash_of_matrices(warp, product) != product.hash;
    return *changed;
  };
  const bool again = launch.fences || history.epoch != product.epoch;
  // A later product may have read what was stored over this one's matrices.
  const bool overwritten = launch.fences && has_changed();
  const auto end_read = [&](const Place& place) {
    if (!overwritten && still_read(warp, wait, kReader, place.address, kPiece)) return;
    const std::uint64_t offset = place.address - launch.shared_low;
    const std::size_t first = shadow.granule(offset);
    const std::size_t end = shadow.granule(offset + kPiece - 1) + 1;
    for (std::size_t at = first; at < end; ++at) {
      const bool before = shadow.writes.epoch[at] < product.epoch && !shadow.on_the_way(at);
      if (!before && written_since(warp, product, at, place.address, has_changed))
        return note_overwritten(warp, wait, product, place, at);
    }
    if (!again) return;
    const bool clean =
        !launch.keeps_readers && shadow.read_words(first, static_cast<unsigned>(end - first),
                                                   reader_of(warp), history.now(), wait->site);
    if (!clean && shadow.written(first, history.now()))
      check_shared_lane(warp, wait, kReader, *place.variable, place.address, kPiece, Access::read,
                        nullptr);
  };
  const auto is_unchanged = [&](const MatrixPieces::Run& run) {
    const RunGranules all = granules_of(shadow, run);
    return shadow.written_before(all.first, all.count(), product.epoch);
  };
  each_matrix(warp, product, [&](const Matrix& matrix) {
    const MatrixPieces& pieces = worker.matrices.pieces(launch, matrix);
    const bool clean = !pieces.runs.empty() && !overwritten &&
                       std::ranges::all_of(pieces.runs, is_unchanged) &&
                       (!again || read_whole(warp, wait->site, pieces));
    if (!clean) each_place(warp, matrix, end_read);
  });
}

// ---- registers

/// The registers of the sums, by FunctionTiming; empty if they are not known.
std::span<const std::uint32_t> numbers_of_sums(const Function& function, const Inst* inst) {
  if (function.timing.instructions.empty()) return {};
  return function.timing.instructions[inst->source].writes;
}

/// The registers of A, if A is in registers.
std::span<const std::uint32_t> numbers_of_a(const Function& function, const Inst* inst) {
  if (function.timing.instructions.empty() || !has(inst, ProductFlags::kRegistersOfA)) return {};
  const std::span reads = function.timing.instructions[inst->source].reads;
  return reads.first(std::min<std::size_t>(reads.size(), registers_of_a(TensorType::bf16, 16)));
}

void note_register(Warp& warp, const Inst* inst, Mask mask, const AsyncProduct& product,
                   ProductMistake mistake) {
  const FindingKey key{FindingKind::unfinished_product, warp.frame->function, inst->source, "",
                       product.inst->site};
  warp.worker->note(key, 1, [&](FindingNote& note) {
    note.product.emplace();
    note.product->mistake = mistake;
    note.product->in_group = warp.products.groups != product.group;
    note.product->in_local_memory =
        warp.frame->function->timing.instructions[inst->source].space == Space::local;
    name_thread(note, warp, static_cast<unsigned>(std::countr_zero(mask)));
  });
}

/// A number that stands for what the registers of the sums hold.
std::uint64_t hash_of_sums(Warp& warp, std::span<const Ref> sums) {
  constexpr std::uint32_t kFactor = 16777619;  // of the hash of Fowler, Noll and Vo
  std::array<std::uint32_t, kLanes> hash{};
  for (const Ref sum : sums) {
    const std::uint32_t* values = warp.reg<std::uint32_t>(sum);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      hash[lane] = (hash[lane] ^ values[lane]) * kFactor;
  }
  return hash_with<sizeof hash>(0, hash.data());
}

/// The registers of the sums.
std::span<const Ref> sums_of(const Function& function, const Inst* inst) {
  return std::span(function.lists[inst->extra].refs).first(inst->count / 2);
}

/// Checks that a wgmma.fence orders the registers before the product, unless only products have
/// written them.
void check_register_fence(Warp& warp, const Inst* inst, bool adds) {
  AsyncProducts& products = warp.products;
  if (products.fenced) return;
  const bool first = products.ended + products.all.size() == 0;
  const bool reads = adds || has(inst, ProductFlags::kRegistersOfA);
  if (!first) {
    if (!reads) return;
    const std::uint64_t sums = hash_of_sums(warp, sums_of(*warp.frame->function, inst));
    const bool same = std::ranges::find(products.left, sums) != products.left.end();
    if (same && !has(inst, ProductFlags::kRegistersOfA)) return;
  }
  products.fenced = true;  // one note is enough
  const FindingKey key{FindingKind::missing_fence, warp.frame->function, inst->source, ""};
  warp.worker->note(key, 1, [&](FindingNote& note) {
    note.message = first ? Phrase::first_product_without_fence : Phrase::product_without_fence;
    note.hint = Phrase::product_without_fence_hint;
    name_thread(note, warp, kReader);
  });
}

/// Notes the product's registers as in use.
void mark_registers(Warp& warp, const Inst* inst) {
  AsyncProducts& products = warp.products;
  using Use = AsyncProducts::Use;
  const Function& function = *warp.frame->function;
  // A frame that has been given back may be that of another function now.
  if (products.frame != warp.frame || products.registers.size() != function.timing.registers) {
    products.frame = warp.frame;
    products.registers.assign(function.timing.registers, {});
  }
  const std::uint64_t number = products.ended + products.all.size() - 1;
  for (const std::uint32_t a : numbers_of_a(function, inst))
    products.registers[a] = {number, Use::factor};
  for (const std::uint32_t sum : numbers_of_sums(function, inst))
    products.registers[sum] = {number, Use::sum};
}

// ---- the warps of a warpgroup

void note_part_of_group(Worker& worker, const Warp& warp, const Inst* inst,
                        const Function* function, const Text& message) {
  worker.note({FindingKind::divergent_barrier, function, inst->source, "warpgroup"}, 1,
              [&](FindingNote& note) {
                note.message = message;
                note.hint = Phrase::part_of_warpgroup_hint;
                name_thread(note, warp, kReader);
              });
}

/// Compares the instruction with what the other warps of the group have executed in this place.
void check_group(Warp& warp, const Inst* inst, const Warpgroup::Step& step) {
  Block& block = *warp.block;
  const unsigned number = warp.index / kWarpsOfGroup;
  const Function* function = warp.frame->function;
  if ((number + 1) * kWarpsOfGroup * kLanes > block.threads) {
    if (inst->run == begin_product)
      note_part_of_group(*warp.worker, warp, inst, function,
                         say(Phrase::no_whole_warpgroup, block.threads));
    return;
  }
  if (block.warpgroups.size() <= number) block.warpgroups.resize(number + 1);
  Warpgroup& group = block.warpgroups[number];
  std::uint64_t& executed = group.executed[warp.index % kWarpsOfGroup];
  if (executed == group.before + group.all.size()) {
    if (group.all.size() >= kMostAhead) return;
    group.all.push_back(step);
  }
  if (group.all[executed - group.before] != step && !std::exchange(group.differs, true))
    note_part_of_group(*warp.worker, warp, inst, function, Phrase::warps_multiply_differently);
  ++executed;
  const std::uint64_t least = *std::ranges::min_element(group.executed);
  for (; group.before < least; ++group.before) group.all.pop_front();
}

/// Whether all lanes of the mask have the value that the first of them has.
bool is_same_in_lanes(const std::uint64_t* values, Mask mask) {
  const std::uint64_t first = values[std::countr_zero(mask)];
  bool same = true;
  for_lanes(mask, [&](unsigned lane) { same &= values[lane] == first; });
  return same;
}

/// Notes descriptors, and a choice to add, that differ in the lanes of the warp.
void check_lanes(Warp& warp, const Inst* inst, Mask mask) {
  const Mask holds = warp.predicates[inst->c.offset] & mask;
  const bool same = (holds == 0 || holds == mask) &&
                    is_same_in_lanes(warp.reg<std::uint64_t>(inst->b), mask) &&
                    (has(inst, ProductFlags::kRegistersOfA) ||
                     is_same_in_lanes(warp.reg<std::uint64_t>(inst->a), mask));
  if (!same)
    note_part_of_group(*warp.worker, warp, inst, warp.frame->function,
                       Phrase::lanes_multiply_differently);
}

/// The same for an instruction without matrices.
void check_group(Warp& warp, const Inst* inst) {
  check_group(
      warp, inst,
      {.function = warp.frame->function, .inst = inst, .epoch = warp.worker->history.epoch});
}

// ---- the product itself

/// Reads a matrix; put(line, k, bits) receives its elements. `sign` is a bit that is turned in
/// each. `clean`: begin_read() has recorded the read.
template <class Put>
void read_matrix(Warp& warp, const Inst* inst, const Matrix& matrix, AsyncProduct& product,
                 bool clean, std::uint32_t sign, const Put& put) {
  const Worker& worker = *warp.worker;
  const Launch& launch = *worker.launch;
  std::array<std::byte, kPiece> poison;
  fill_with_poison(poison, launch.poison);
  each_piece(launch, matrix, [&](const Place& place, std::uint32_t line, std::uint32_t k) {
    const std::byte* found = clean ? worker.shared.data() + (place.address - launch.shared_low)
                                   : read_piece(warp, inst, place, product);
    std::array<std::uint16_t, kElementsOfPiece> elements;
    static_assert(sizeof elements == kPiece && sizeof elements[0] == kElement);
    std::memcpy(elements.data(), found != nullptr ? found : poison.data(), kPiece);
    for (std::uint32_t i = 0; i < kElementsOfPiece; ++i) {
      const std::uint32_t bits = elements[i] ^ sign;
      matrix.descriptor.transposed() ? put(line + i, k, bits) : put(line, k + i, bits);
    }
  });
}

/// Notes a matrix that does not begin where its swizzle does, or stops at what is not supported.
void check_descriptor(Warp& warp, const Inst* inst, const Matrix& matrix) {
  const MatrixDescriptor& descriptor = matrix.descriptor;
  if (descriptor.has_base_offset())
    stop_as_unsupported(*warp.worker, *warp.frame->function, inst->source, "",
                        Phrase::base_offset_unsupported);
  if (descriptor.off_pattern() == 0) return;
  warp.worker->note({FindingKind::misaligned, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = say(Phrase::misaligned_swizzle, descriptor.off_pattern(),
                                         descriptor.row_bytes(), descriptor.pattern_bytes());
                      note.hint = say(Phrase::misaligned_swizzle_hint, descriptor.pattern_bytes());
                      name_thread(note, warp, kReader);
                    });
}

/// A, prepared.
TensorRows read_rows(Warp& warp, const Inst* inst, AsyncProduct& product, TensorType type) {
  const std::uint32_t sign = has(inst, ProductFlags::kNegativeA) ? kSign : 0;
  if (has(inst, ProductFlags::kRegistersOfA)) {
    const std::span<const Ref> sums = sums_of(*warp.frame->function, inst);
    return read_a(warp, type, kElementsOfLine, sums.data() + sums.size(), sign);
  }
  const Matrix matrix = matrix_a(warp, inst, product.a);
  check_descriptor(warp, inst, matrix);
  TensorRows rows;
  const auto put = [&](std::uint32_t row, std::uint32_t k, std::uint32_t bits) {
    rows.bits[row][k] = bits;
  };
  read_matrix(warp, inst, matrix, product, begin_read(warp, inst, matrix), sign, put);
  rows.prepare(type);
  return rows;
}

void multiply(Warp& warp, const Inst* inst, AsyncProduct& product, bool adds) {
  Worker& worker = *warp.worker;
  const std::span<const Ref> sums = sums_of(*warp.frame->function, inst);
  const TensorType type = type_of(inst);
  const TensorRows rows = read_rows(warp, inst, product, type);
  const auto multiply_with = [&](const TensorColumns& columns, std::uint32_t first) {
    const Ref* block = &sums[first / kTensorColumns * kSumsOfBlock];
    TensorSums values = adds ? read_sums(warp, block) : TensorSums{};
    tessera::sim::multiply(rows, columns, type, kElementsOfLine, values);
    write_sums(warp, block, kAllLanes, values);
  };
  Matrix b = matrix_b(inst, product.b);
  check_descriptor(warp, inst, b);
  const std::uint32_t sign = has(inst, ProductFlags::kNegativeB) ? kSign : 0;
  if (begin_read(warp, inst, b)) {
    for (const TensorColumns& columns :
         worker.matrices.columns(*worker.launch, b, type, sign, worker.shared.data())) {
      multiply_with(columns, b.first);
      b.first += kTensorColumns;
    }
    return;
  }
  TensorColumns columns;
  b.lines = kTensorColumns;
  for (; b.first < inst->count; b.first += kTensorColumns) {
    read_matrix(warp, inst, b, product, false, sign,
                [&](std::uint32_t column, std::uint32_t k, std::uint32_t bits) {
                  columns.bits[k][place_of_column(column)] = bits;
                });
    columns.prepare(type);
    multiply_with(columns, b.first);
  }
}

}  // namespace

const Inst* begin_product(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  AsyncProducts& products = warp.products;
  if (products.all.size() >= kMostProducts)
    stop_as_unsupported(*warp.worker, *warp.frame->function, inst->source, "",
                        say(Phrase::too_many_products, kMostProducts));
  const std::uint32_t blocks = inst->count / kTensorColumns;
  warp.worker->charge(std::uint64_t{kLanes} * blocks);
  warp.work.tensor += blocks;
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  const Mask holds = warp.predicates[inst->c.offset];
  const bool adds = ((holds >> lane & 1) != 0) != has(inst, ProductFlags::kAddsUnless);
  AsyncProduct product{.inst = inst,
                       .function = warp.frame->function,
                       .b = warp.reg<std::uint64_t>(inst->b)[lane],
                       .group = products.groups,
                       .epoch = warp.worker->history.epoch};
  if (!has(inst, ProductFlags::kRegistersOfA)) product.a = warp.reg<std::uint64_t>(inst->a)[lane];
  check_lanes(warp, inst, mask);
  check_group(warp, inst,
              {.function = product.function,
               .inst = inst,
               .epoch = product.epoch,
               .a = product.a,
               .b = product.b,
               .adds = adds});
  check_register_fence(warp, inst, adds);
  multiply(warp, inst, product, adds);
  if (warp.worker->checks_shared && (warp.worker->launch->fences || product.stored_before))
    product.hash = hash_of_matrices(warp, product);
  products.fenced_since = false;
  products.all.push_back(product);
  // The next product may add to these sums without a fence.
  if (!products.fenced) {
    if (products.left.size() >= kMostProducts) products.left.erase(products.left.begin());
    products.left.push_back(hash_of_sums(warp, sums_of(*product.function, inst)));
  }
  mark_registers(warp, inst);
  return inst + 1;
}

std::uint64_t work_of_async_product(const Inst& inst) {
  return std::uint64_t{kRowsOfWarp} * inst.count * kElementsOfLine;
}

const Inst* fence_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  check_group(warp, inst);
  warp.products.fenced = warp.products.fenced_since = true;
  return inst + 1;
}

const Inst* commit_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  check_group(warp, inst);
  ++warp.products.groups;
  return inst + 1;
}

const Inst* wait_for_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  mask = together(warp, inst, mask);
  if (mask == 0) return nullptr;
  check_group(warp, inst);
  AsyncProducts& products = warp.products;
  // What products leave in their sums, whether they have ended or run on.
  std::vector<std::span<const Ref>> hashed;
  const auto note_left = [&](const AsyncProduct& product) {
    if (product.function != warp.frame->function) return;
    const std::span<const Ref> sums = sums_of(*product.function, product.inst);
    const auto is_same = [&](std::span<const Ref> other) {
      return std::ranges::equal(sums, other);
    };
    if (std::ranges::any_of(hashed, is_same)) return;
    if (hashed.empty()) products.left.clear();
    hashed.push_back(sums);
    products.left.push_back(hash_of_sums(warp, sums));
  };
  while (products.running() && products.groups - products.all.front().group > inst->count) {
    const AsyncProduct product = products.all.front();
    end_product(warp, inst, product);
    products.all.pop_front();
    ++products.ended;
    note_left(product);
  }
  std::ranges::for_each(products.all, note_left);
  products.fenced = products.fenced_since;
  return inst + 1;
}

const Inst* fence_async_proxy(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0 || !warp.worker->launch->async_products) return inst + 1;
  warp.worker->charge(1);
  warp.count_without_meeting();
  AccessHistory& history = warp.worker->history;
  ProxyFences::Fence fence{
      .thread = warp.index * kLanes + static_cast<unsigned>(std::countr_zero(mask)),
      .epoch = history.epoch,
      .sync_count = warp.sync_count,
      .time = warp.steps,
      .sequence = history.order.sequence()};
  Mask rows = 0;
  for_lanes(mask, [&](unsigned lane) {
    const Mask row = Mask{1} << warp.known_row[lane];
    if ((std::exchange(rows, rows | row) & row) != 0) return;
    const LaneCounts& known = *warp.known_of(lane);
    for (unsigned other = 0; other < kLanes; ++other)
      fence.met[other] = std::max(fence.met[other], known[other]);
  });
  for_lanes(mask, [&](unsigned lane) { fence.met[lane] = warp.sync_count; });
  history.proxy_fences.fence(fence, mask);
  return inst + 1;
}

void check_registers(Warp& warp, const Inst* inst, Mask mask) {
  AsyncProducts& products = warp.products;
  if (!products.running() || mask == 0 || warp.frame != products.frame) return;
  if (inst->run == begin_product) return;
  using Use = AsyncProducts::Use;
  const FunctionTiming& known = warp.frame->function->timing;
  if (known.instructions.empty() || known.registers != products.registers.size()) return;
  const InstTiming& timing = known.instructions[inst->source];
  Use moved;
  for (const std::uint32_t reg : timing.reads) {
    const Use use = products.registers[reg];
    const AsyncProduct* product = products.of(use);
    if (product == nullptr || use.kind == Use::factor) continue;
    if (timing.moves) {
      moved = {use.product, Use::copy_of_sum};
    } else {
      note_register(warp, inst, mask, *product, ProductMistake::sum_read);
    }
  }
  for (const std::uint32_t reg : timing.writes) {
    Use& use = products.registers[reg];
    const AsyncProduct* product = products.of(use);
    if (product != nullptr && use.kind != Use::copy_of_sum && moved.kind == Use::none)
      note_register(
          warp, inst, mask, *product,
          use.kind == Use::sum ? ProductMistake::sum_written : ProductMistake::factor_written);
    use = moved;
  }
}

void note_products_at_end(Worker& worker) {
  for (Warp& warp : worker.block.warps) {
    if (!warp.products.running()) continue;
    const AsyncProduct& product = warp.products.all.front();
    worker.note({FindingKind::unfinished_product, product.function, product.inst->source, ""}, 1,
                [&](FindingNote& note) {
                  note.severity = Severity::warning;
                  note.message = Phrase::product_never_waited_for;
                  note.hint = Phrase::product_never_waited_for_hint;
                  name_thread(note, warp, kReader);
                });
  }
  for (std::size_t g = 0; g < worker.block.warpgroups.size(); ++g) {
    const Warpgroup& group = worker.block.warpgroups[g];
    if (group.all.empty() || group.differs) continue;
    const auto least = std::ranges::min_element(group.executed) - group.executed.begin();
    const Warp& warp = worker.block.warps[g * kWarpsOfGroup + static_cast<std::size_t>(least)];
    const auto product = std::ranges::find_if(
        group.all, [](const Warpgroup::Step& missed) { return missed.inst->run == begin_product; });
    const Warpgroup::Step& step = product == group.all.end() ? group.all.front() : *product;
    note_part_of_group(
        worker, warp, step.inst, step.function,
        say(Phrase::part_of_warpgroup, std::ranges::count_if(group.executed, [&](auto executed) {
              return executed > group.before;
            })));
  }
}

}  // namespace tessera::sim
