#include <algorithm>
#include <cstring>
#include <span>

#include "common/mixed.h"
#include "grader/simulator/exec/async_products.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/matrix_descriptor.h"
#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::sim {
namespace {

using ptx::Space;

constexpr std::uint32_t kLineBytes = 32;    // of a line of A or B, along k
constexpr std::uint32_t kRowsOfGroup = 64;  // of A and of the sums: 16 for each warp
constexpr std::uint32_t kRowsOfWarp = kRowsOfGroup / kWarpsOfGroup;
constexpr std::uint32_t kPiece = MatrixDescriptor::kPieceBytes;
constexpr std::uint32_t kRowsOfCore = 8;
constexpr std::size_t kMostProducts = 1 << 12;  // of a warp, running
constexpr std::size_t kMostAhead = 1 << 20;     // that warps are ahead of another of their group
constexpr unsigned kReader = 0;  // the lane that stands for its warp where a product reads

TensorType type_of(const Inst* inst) {
  return static_cast<TensorType>(inst->target & ProductFlags::kType);
}

bool has(const Inst* inst, std::uint32_t flag) {
  return (inst->target & flag) != 0;
}

std::uint32_t element_bytes(const Inst* inst) {
  return type_of(inst) == TensorType::tf32 ? 4 : 2;
}

/// A or B of a product in shared memory.
struct Matrix {
  MatrixDescriptor descriptor;
  std::uint32_t first = 0;  // of its lines, those that the warp reads
  std::uint32_t lines = 0;
  bool transposed = false;
  std::uint32_t element = 0;  // bytes
};

Matrix matrix_a(const Warp& warp, const Inst* inst, std::uint64_t descriptor) {
  const bool transposed = has(inst, ProductFlags::kTransposedA);
  return {{descriptor, transposed},
          warp.index % kWarpsOfGroup * kRowsOfWarp,
          kRowsOfWarp,
          transposed,
          element_bytes(inst)};
}

Matrix matrix_b(const Inst* inst, std::uint64_t descriptor) {
  const bool transposed = has(inst, ProductFlags::kTransposedB);
  return {{descriptor, transposed}, 0, inst->count, transposed, element_bytes(inst)};
}

/// Hands each piece of the matrix to `take(address, line, k)`: of its first element.
template <class Take>
void each_piece(const Matrix& matrix, const Take& take) {
  const std::uint32_t depth = kLineBytes / matrix.element;
  const std::uint32_t lines = matrix.transposed ? kPiece / matrix.element : 1;
  const std::uint32_t along_k = matrix.transposed ? 1 : kPiece / matrix.element;
  for (std::uint32_t line = matrix.first; line < matrix.first + matrix.lines; line += lines) {
    for (std::uint32_t k = 0; k < depth; k += along_k)
      take(matrix.descriptor.piece(line, k, matrix.element), line - matrix.first, k);
  }
}

/// The address that the 18 bits of a descriptor mean: the lowest that lies in a variable.
std::uint64_t full_address(const Launch& launch, std::uint32_t low) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << MatrixDescriptor::kAddressBits;
  for (std::uint64_t address = low; address < launch.shared_high; address += kStep) {
    const SharedVariable* variable = launch.shared_before(address);
    if (variable != nullptr && address - variable->address < variable->size) return address;
  }
  return low;
}

// ---- the order of accesses

/// Where a product reads what no fence.proxy.async has made visible to it.
void note_unfenced(Warp& warp, const Inst* inst, std::uint64_t address, std::uint32_t site,
                   std::uint32_t writer) {
  const SharedVariable& variable = *warp.worker->launch->shared_before(address);
  const FindingKey key{FindingKind::missing_fence, warp.frame->function, inst->source,
                       variable.name, site};
  warp.worker->note(key, 1, [&](FindingNote& note) {
    note.product.emplace();
    note.product->mistake = ProductMistake::unfenced_store;
    note.product->element = variable.element(static_cast<std::int64_t>(address - variable.address));
    note.product->thread =
        to_string(thread_of(warp.block->warps[writer / kLanes], writer % kLanes));
    name_thread(note, warp, kReader);
  });
}

/// Checks that fences make the stores of a granule, which lie before the product, visible to it.
void check_fence(Warp& warp, const Inst* inst, std::size_t granule, std::uint64_t address) {
  const AccessHistory& history = warp.worker->history;
  const Shadow& shadow = history.shadow;
  if (!shadow.written(granule, history.now())) return;
  const std::uint32_t who = shadow.writes.who[granule];
  const std::uint32_t epoch = shadow.writes.epoch[granule];
  // In this epoch only the warp's own stores can be ordered; others race, or flags order them.
  if (epoch == history.epoch && Who::warp(who) != warp.index) return;
  const Warp& writer = warp.block->warps[Who::warp(who)];
  const ProxyFences::Store store{Who::thread(who), epoch, Who::synced(who, writer.sync_count)};
  if (history.proxy_fences.between(store, warp.index * kLanes + kReader, history.epoch)) return;
  note_unfenced(warp, inst, address, shadow.writes.site[granule], store.thread);
}

/// Checks the read of a piece, and returns where it lies; nullptr if it lies nowhere.
const std::byte* read_piece(Warp& warp, const Inst* inst, std::uint64_t address,
                            AsyncProduct& product) {
  Worker& worker = *warp.worker;
  const Launch& launch = *worker.launch;
  AccessHistory& history = worker.history;
  Shadow& shadow = history.shadow;
  const Now now = history.now();
  const SharedVariable* variable = launch.shared_before(address);
  const bool inside = variable != nullptr && address + kPiece <= variable->address + variable->size;
  const std::uint64_t offset = address - launch.shared_low;
  bool clean = inside && !launch.keeps_readers;
  if (inside) {
    const std::uint32_t who = Who::make(warp.index * kLanes + kReader, warp.sync_count);
    const std::size_t end = shadow.granule(offset + kPiece - 1) + 1;
    for (std::size_t at = shadow.granule(offset); at < end; ++at) {
      clean = clean && shadow.read_broadcast(at, who, now, inst->site);
      product.stored_before |= shadow.writes.epoch[at] == now.epoch || shadow.on_the_way(at);
      check_fence(warp, inst, at, address);
    }
  }
  if (clean) return worker.shared.data() + offset;
  return lane_pointer(warp, inst, kReader, Space::shared, address, kPiece, Access::read);
}

void note_overwritten(Warp& warp, const Inst* wait, const AsyncProduct& product,
                      const SharedVariable& variable, std::uint64_t address, std::size_t granule) {
  Worker& worker = *warp.worker;
  const Shadow& shadow = worker.history.shadow;
  const SiteInfo& site = worker.launch->module->sites[shadow.writes.site[granule]];
  const FindingKey key{FindingKind::unfinished_product,
                       &worker.launch->module->functions[site.function], site.source, variable.name,
                       product.inst->site};
  worker.note(key, 1, [&](FindingNote& note) {
    note.product.emplace();
    note.product->mistake = ProductMistake::overwritten;
    note.product->element = variable.element(static_cast<std::int64_t>(address - variable.address));
    note.product->verb = verb_of_change(site.kind);
    note.product->wait_site = wait->site;
    const std::uint32_t thread = Who::thread(shadow.writes.who[granule]);
    name_thread(note, worker.block.warps[thread / kLanes], thread % kLanes);
  });
}

/// Whether the granule was written, or a copy into it begun, after the product began. A store of
/// another warp in the same epoch races with the product, and has been noted, unless a flag orders
/// it.
bool written_since(Warp& warp, const AsyncProduct& product, std::size_t granule,
                   std::uint64_t address, bool changed) {
  Worker& worker = *warp.worker;
  const Shadow& shadow = worker.history.shadow;
  const std::uint32_t who = shadow.writes.who[granule];
  std::uint32_t epoch = shadow.writes.epoch[granule];
  if (shadow.on_the_way(granule)) {
    const AsyncCopy* copy = copy_on_the_way(worker, Who::thread(who), address);
    if (copy != nullptr) epoch = copy->epoch;
  }
  if (epoch != product.epoch) return epoch > product.epoch;
  return changed || (Who::warp(who) == warp.index && !product.stored_before);
}

/// Hands each piece of the product's matrices in shared memory to take(address, variable). Pieces
/// that lie nowhere are left out.
template <class Take>
void each_piece_read(Warp& warp, const AsyncProduct& product, const Take& take) {
  const Launch& launch = *warp.worker->launch;
  const auto in = [&](const Matrix& matrix) {
    each_piece(matrix, [&](std::uint32_t low, std::uint32_t, std::uint32_t) {
      const std::uint64_t address = full_address(launch, low);
      const SharedVariable* variable = launch.shared_before(address);
      if (variable != nullptr && address + kPiece <= variable->address + variable->size)
        take(address, *variable);
    });
  };
  if (!has(product.inst, ProductFlags::kRegistersOfA)) in(matrix_a(warp, product.inst, product.a));
  in(matrix_b(product.inst, product.b));
}

/// A number that stands for what the product's matrices hold.
std::uint64_t hash_of_matrices(Warp& warp, const AsyncProduct& product) {
  std::uint64_t hash = 0;
  each_piece_read(warp, product, [&](std::uint64_t address, const SharedVariable&) {
    std::array<std::uint64_t, kPiece / 8> words;
    std::memcpy(words.data(),
                warp.worker->shared.data() + (address - warp.worker->launch->shared_low), kPiece);
    for (const std::uint64_t word : words) hash = mixed(hash ^ word);
  });
  return hash;
}

/// Ends a product, which may have read its matrices as late as here: notes what was written since,
/// and reads once more, so that a barrier must come before the next store.
void end_product(Warp& warp, const Inst* wait, const AsyncProduct& product) {
  Worker& worker = *warp.worker;
  AccessHistory& history = worker.history;
  Shadow& shadow = history.shadow;
  const Launch& launch = *worker.launch;
  const bool changed = launch.fences && hash_of_matrices(warp, product) != product.hash;
  const bool again = launch.fences || history.epoch != product.epoch;
  const std::uint32_t who = Who::make(warp.index * kLanes + kReader, warp.sync_count);
  each_piece_read(warp, product, [&](std::uint64_t address, const SharedVariable& variable) {
    const std::uint64_t offset = address - launch.shared_low;
    bool clean = !launch.keeps_readers;
    for (std::size_t at = shadow.granule(offset); at <= shadow.granule(offset + kPiece - 1); ++at) {
      if (written_since(warp, product, at, address, changed))
        return note_overwritten(warp, wait, product, variable, address, at);
      clean = clean && again && shadow.read_broadcast(at, who, history.now(), wait->site);
    }
    if (again && !clean && shadow.written(shadow.granule(offset), history.now()))
      check_shared_lane(warp, wait, kReader, variable, address, kPiece, Access::read, nullptr);
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
  return std::span(function.timing.instructions[inst->source].reads)
      .first(registers_of_a(TensorType::bf16, 16));
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
std::uint64_t hash_of_sums(Warp& warp, const List& list, std::size_t sums) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < sums; ++i) {
    std::array<std::uint64_t, kLanes / 2> words;
    std::memcpy(words.data(), warp.reg<std::uint32_t>(list.refs[i]), sizeof words);
    for (const std::uint64_t word : words) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
  }
  return hash;
}

std::size_t sums_of(const Inst* inst) {
  return inst->count / 2;
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
    const List& list = warp.frame->function->lists[inst->extra];
    const bool same = std::ranges::find(products.left, hash_of_sums(warp, list, sums_of(inst))) !=
                      products.left.end();
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

/// Compares the product with what the other warps of the group have executed in this place.
void check_group(Warp& warp, const Inst* inst, const Warpgroup::Product& product) {
  Block& block = *warp.block;
  const unsigned number = warp.index / kWarpsOfGroup;
  const Function* function = warp.frame->function;
  if ((number + 1) * kWarpsOfGroup * kLanes > block.threads)
    return note_part_of_group(*warp.worker, warp, inst, function,
                              say(Phrase::no_whole_warpgroup, block.threads));
  if (block.warpgroups.size() <= number) block.warpgroups.resize(number + 1);
  Warpgroup& group = block.warpgroups[number];
  std::uint64_t& executed = group.executed[warp.index % kWarpsOfGroup];
  if (executed == group.before + group.all.size()) {
    if (group.all.size() >= kMostAhead) return;
    group.all.push_back(product);
  }
  if (group.all[executed - group.before] != product)
    note_part_of_group(*warp.worker, warp, inst, function, Phrase::warps_multiply_differently);
  ++executed;
  const std::uint64_t least = *std::ranges::min_element(group.executed);
  for (; group.before < least; ++group.before) group.all.pop_front();
}

// ---- the product itself

/// What a matrix's pieces hold: by line, the bits of each element.
template <std::size_t kLines>
using Elements = std::array<std::array<std::uint32_t, TensorOperands::kDepth>, kLines>;

void take_piece(const Matrix& matrix, const std::byte* from, std::uint32_t line, std::uint32_t k,
                bool negative, std::span<std::array<std::uint32_t, TensorOperands::kDepth>> to) {
  const std::uint32_t sign = !negative ? 0 : matrix.element == 4 ? 0x80000000u : 0x8000u;
  for (std::uint32_t i = 0; i < kPiece / matrix.element; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from + i * matrix.element, matrix.element);
    (matrix.transposed ? to[line + i][k] : to[line][k + i]) = bits ^ sign;
  }
}

/// Reads the lines of a matrix into `to`.
void read_matrix(Warp& warp, const Inst* inst, const Matrix& matrix, bool negative,
                 AsyncProduct& product,
                 std::span<std::array<std::uint32_t, TensorOperands::kDepth>> to) {
  std::array<std::byte, kPiece> poison;
  fill_with_poison(poison, warp.worker->launch->poison);
  each_piece(matrix, [&](std::uint32_t low, std::uint32_t line, std::uint32_t k) {
    const std::byte* from =
        read_piece(warp, inst, full_address(*warp.worker->launch, low), product);
    take_piece(matrix, from != nullptr ? from : poison.data(), line, k, negative, to);
  });
}

/// Notes a matrix that does not begin where its swizzle does, or stops at what is not supported.
void check_descriptor(Warp& warp, const Inst* inst, const Matrix& matrix) {
  const MatrixDescriptor& descriptor = matrix.descriptor;
  if (descriptor.has_base_offset()) {
    warp.worker->note(
        {FindingKind::unsupported_instruction, warp.frame->function, inst->source, ""}, 1,
        [&](FindingNote& note) {
          note.message = Phrase::base_offset_unsupported;
          note.hint = Phrase::needs_review;
        });
    throw BlockStopped{true};
  }
  if (descriptor.off_pattern() == 0) return;
  warp.worker->note({FindingKind::misaligned, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = say(Phrase::misaligned_swizzle, descriptor.off_pattern(),
                                         descriptor.row_bytes(), descriptor.pattern_bytes());
                      note.hint = say(Phrase::misaligned_swizzle_hint, descriptor.pattern_bytes());
                      name_thread(note, warp, kReader);
                    });
}

void multiply(Warp& warp, const Inst* inst, AsyncProduct& product, bool adds) {
  const Ref* sums = warp.frame->function->lists[inst->extra].refs.data();
  const Ref* registers = sums + sums_of(inst);
  TensorOperands operands;
  operands.type = type_of(inst);
  operands.depth = kLineBytes / element_bytes(inst);
  const bool negative_a = has(inst, ProductFlags::kNegativeA);
  if (has(inst, ProductFlags::kRegistersOfA)) {
    read_a(warp, operands.type, operands.depth, registers, operands);
    const std::uint32_t sign = operands.type == TensorType::tf32 ? 0x80000000u : 0x8000u;
    if (negative_a) {
      for (auto& row : operands.a) {
        for (std::uint32_t& element : row) element ^= sign;
      }
    }
  } else {
    const Matrix a = matrix_a(warp, inst, product.a);
    check_descriptor(warp, inst, a);
    read_matrix(warp, inst, a, negative_a, product, operands.a);
  }
  constexpr std::size_t kMostColumns = 256;
  Elements<kMostColumns> columns{};
  const Matrix b = matrix_b(inst, product.b);
  check_descriptor(warp, inst, b);
  read_matrix(warp, inst, b, has(inst, ProductFlags::kNegativeB), product, columns);
  for (std::uint32_t first = 0; first < inst->count;) {
    const std::size_t blocks = inst->count - first > kRowsOfCore ? 2 : 1;
    operands.columns = blocks * kRowsOfCore;
    std::copy_n(columns.begin() + first, operands.columns, operands.b.begin());
    multiply_blocks(warp, operands, blocks, adds, sums + first / 2);
    first += static_cast<std::uint32_t>(operands.columns);
  }
}

}  // namespace

const Inst* begin_product(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  check_whole(warp, inst, mask);
  AsyncProducts& products = warp.products;
  if (products.all.size() >= kMostProducts) {
    warp.worker->note(
        {FindingKind::unsupported_instruction, warp.frame->function, inst->source, ""}, 1,
        [&](FindingNote& note) {
          note.message = say(Phrase::too_many_products, kMostProducts);
          note.hint = Phrase::needs_review;
        });
    throw BlockStopped{true};
  }
  const std::uint32_t blocks = inst->count / kRowsOfCore;
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
  check_group(warp, inst, {warp.frame->function, inst, product.a, product.b, adds});
  check_register_fence(warp, inst, adds);
  multiply(warp, inst, product, adds);
  if (warp.worker->launch->fences) product.hash = hash_of_matrices(warp, product);
  products.fenced_since = false;
  products.all.push_back(product);
  mark_registers(warp, inst);
  return inst + 1;
}

std::uint64_t work_of_async_product(const Inst& inst) {
  return std::uint64_t{kRowsOfWarp} * inst.count * (kLineBytes / element_bytes(&inst));
}

const Inst* fence_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  check_whole(warp, inst, mask);
  warp.products.fenced = warp.products.fenced_since = true;
  return inst + 1;
}

const Inst* commit_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  check_whole(warp, inst, mask);
  ++warp.products.groups;
  return inst + 1;
}

const Inst* wait_for_products(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  check_whole(warp, inst, mask);
  AsyncProducts& products = warp.products;
  products.left.clear();
  std::vector<const Inst*> hashed;
  while (products.running() && products.groups - products.all.front().group > inst->count) {
    const AsyncProduct product = products.all.front();
    end_product(warp, inst, product);
    products.all.pop_front();
    ++products.ended;
    if (product.function != warp.frame->function ||
        std::ranges::find(hashed, product.inst) != hashed.end())
      continue;
    hashed.push_back(product.inst);
    products.left.push_back(hash_of_sums(warp, warp.frame->function->lists[product.inst->extra],
                                         sums_of(product.inst)));
  }
  products.fenced = products.fenced_since;
  return inst + 1;
}

const Inst* fence_async_proxy(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0 || !warp.worker->launch->async_products) return inst + 1;
  warp.worker->charge(1);
  warp.count_sync();
  AccessHistory& history = warp.worker->history;
  for_lanes(mask, [&](unsigned lane) {
    history.proxy_fences.fence(warp.index * kLanes + lane, history.epoch, warp.sync_count);
  });
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
    if (group.all.empty()) continue;
    const auto least = std::ranges::min_element(group.executed) - group.executed.begin();
    const Warp& warp = worker.block.warps[g * kWarpsOfGroup + static_cast<std::size_t>(least)];
    const Warpgroup::Product& product = group.all.front();
    note_part_of_group(
        worker, warp, product.inst, product.function,
        say(Phrase::part_of_warpgroup, std::ranges::count_if(group.executed, [&](auto executed) {
              return executed > group.before;
            })));
  }
}

}  // namespace tessera::sim
