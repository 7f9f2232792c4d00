#include "grader/simulator/ops_move.h"

#include <algorithm>
#include <cmath>

#include "common/mixed.h"

namespace tessera::sim {
namespace {

using ptx::Space;
using ptx::Type;

template <class T>
struct Copy {
  static T apply(T a) { return a; }
};

template <class T>
const Inst* add_offset(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T offset = static_cast<T>(inst->offset);
  write_lanes<T>(warp, inst->dst, mask,
                 [=](unsigned lane) { return static_cast<T>(a[lane] + offset); });
  return inst + 1;
}

template <class T>
const Inst* local_address(Warp& warp, const Inst* inst, Mask mask) {
  const T address =
      static_cast<T>(warp.frame->local_base + static_cast<std::uint64_t>(inst->offset));
  write_lanes<T>(warp, inst->dst, mask, [=](unsigned) { return address; });
  return inst + 1;
}

template <class Piece, class Whole>
const Inst* pack(Warp& warp, const Inst* inst, Mask mask) {
  const List& list = warp.frame->function->lists[inst->extra];
  for_lanes(mask, [&](unsigned lane) {
    Whole value = 0;
    for (std::size_t i = 0; i < list.refs.size(); ++i) {
      value = static_cast<Whole>(
          value | static_cast<Whole>(static_cast<Whole>(warp.reg<Piece>(list.refs[i])[lane])
                                     << (8 * sizeof(Piece) * i)));
    }
    warp.reg<Whole>(inst->dst)[lane] = value;
  });
  return inst + 1;
}

template <class Piece, class Whole>
const Inst* unpack(Warp& warp, const Inst* inst, Mask mask) {
  const List& list = warp.frame->function->lists[inst->extra];
  for_lanes(mask, [&](unsigned lane) {
    const Whole value = warp.reg<Whole>(inst->a)[lane];
    for (std::size_t i = 0; i < list.refs.size(); ++i) {
      if (list.sizes[i] != 0)
        warp.reg<Piece>(list.refs[i])[lane] = static_cast<Piece>(value >> (8 * sizeof(Piece) * i));
    }
  });
  return inst + 1;
}

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  globaltimer,
  globaltimer_hi,
  dynamic_smem_size,
  total_smem_size,
  is_explicit_cluster,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
};

std::uint64_t warp_places(const DeviceProfile& device) {
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(device.max_threads_per_sm) / kLanes, 1);
}

/// A number that no other warp of the block has, and that says nothing of its place in the block.
std::uint64_t place_on_multiprocessor(const Warp& warp) {
  constexpr std::uint64_t kSteps[] = {5, 7, 11, 13, 17, 19, 23, 25};  // no factor of 32, 48, 64
  const std::uint64_t draw = drawn(~warp.worker->launch->key, warp.block->index);
  return (warp.index * kSteps[draw % std::size(kSteps)] + draw / std::size(kSteps)) %
         warp_places(*warp.worker->launch->device);
}

/// About a tick, a nanosecond, for each instruction of the warp. It rises by jumps of which nobody
/// knows the size: how long something took tells little of what other lanes did meanwhile.
std::uint64_t clock_of(const Warp& warp) {
  constexpr std::uint64_t kBetweenJumps = 4096;
  const std::uint64_t jumps = warp.steps / kBetweenJumps;
  const std::uint64_t key = warp.worker->launch->key ^ mixed(warp.index);
  return jumps * kBetweenJumps + drawn(key, jumps) % kBetweenJumps;
}

std::uint64_t value_of(const Warp& warp, Special special, unsigned lane) {
  const LaunchShape& shape = warp.worker->launch->shape;
  const Block& block = *warp.block;
  const Dim3& cluster = warp.worker->launch->bounds.cluster;
  switch (special) {
    case Special::tid_x:
      return warp.thread[0][lane];
    case Special::tid_y:
      return warp.thread[1][lane];
    case Special::tid_z:
      return warp.thread[2][lane];
    case Special::ntid_x:
      return shape.block.x;
    case Special::ntid_y:
      return shape.block.y;
    case Special::ntid_z:
      return shape.block.z;
    case Special::ctaid_x:
      return block.id.x;
    case Special::ctaid_y:
      return block.id.y;
    case Special::ctaid_z:
      return block.id.z;
    case Special::nctaid_x:
      return shape.grid.x;
    case Special::nctaid_y:
      return shape.grid.y;
    case Special::nctaid_z:
      return shape.grid.z;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return place_on_multiprocessor(warp);
    case Special::nwarpid:
      return warp_places(*warp.worker->launch->device);
    case Special::smid:
      return drawn(warp.worker->launch->key, block.index) %
             static_cast<std::uint64_t>(warp.worker->launch->device->multiprocessors);
    case Special::nsmid:
      return static_cast<std::uint64_t>(warp.worker->launch->device->multiprocessors);
    case Special::lanemask_eq:
      return Mask{1} << lane;
    case Special::lanemask_le:
      return (Mask{2} << lane) - 1;
    case Special::lanemask_lt:
      return (Mask{1} << lane) - 1;
    case Special::lanemask_ge:
      return ~((Mask{1} << lane) - 1);
    case Special::lanemask_gt:
      return ~((Mask{2} << lane) - 1);
    case Special::clock:
    case Special::globaltimer:
      return clock_of(warp);
    case Special::clock_hi:
    case Special::globaltimer_hi:
      return clock_of(warp) >> 32;
    case Special::dynamic_smem_size:
      return shape.shared_bytes;
    case Special::total_smem_size:
      return shape.shared_bytes + warp.worker->launch->static_shared_bytes;
    case Special::is_explicit_cluster:
      return cluster.count() > 1;
    case Special::clusterid_x:
      return block.id.x / cluster.x;
    case Special::clusterid_y:
      return block.id.y / cluster.y;
    case Special::clusterid_z:
      return block.id.z / cluster.z;
    case Special::nclusterid_x:
      return shape.grid.x / cluster.x;
    case Special::nclusterid_y:
      return shape.grid.y / cluster.y;
    case Special::nclusterid_z:
      return shape.grid.z / cluster.z;
    case Special::cluster_ctaid_x:
      return block.id.x % cluster.x;
    case Special::cluster_ctaid_y:
      return block.id.y % cluster.y;
    case Special::cluster_ctaid_z:
      return block.id.z % cluster.z;
    case Special::cluster_nctaid_x:
      return cluster.x;
    case Special::cluster_nctaid_y:
      return cluster.y;
    case Special::cluster_nctaid_z:
      return cluster.z;
    case Special::cluster_ctarank:
      return (std::uint64_t{block.id.z % cluster.z} * cluster.y + block.id.y % cluster.y) *
                 cluster.x +
             block.id.x % cluster.x;
    case Special::cluster_nctarank:
      return cluster.count();
    case Special::gridid:
      return 0;
  }
  return 0;
}

template <class T>
const Inst* read_special(Warp& warp, const Inst* inst, Mask mask) {
  const auto special = static_cast<Special>(inst->flags);
  write_lanes<T>(warp, inst->dst, mask,
                 [&](unsigned lane) { return static_cast<T>(value_of(warp, special, lane)); });
  return inst + 1;
}

struct SpecialRow {
  std::string_view name;
  Special special;
};

constexpr SpecialRow kSpecials[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%clock", Special::clock},
    {"%clock_hi", Special::clock_hi},
    {"%clock64", Special::clock},
    {"%globaltimer", Special::globaltimer},
    {"%globaltimer_lo", Special::globaltimer},
    {"%globaltimer_hi", Special::globaltimer_hi},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%is_explicit_cluster", Special::is_explicit_cluster},
    {"%clusterid.x", Special::clusterid_x},
    {"%clusterid.y", Special::clusterid_y},
    {"%clusterid.z", Special::clusterid_z},
    {"%nclusterid.x", Special::nclusterid_x},
    {"%nclusterid.y", Special::nclusterid_y},
    {"%nclusterid.z", Special::nclusterid_z},
    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
};

template <Space kSpace>
const Inst* isspacep(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint64_t* a = warp.reg<std::uint64_t>(inst->a);
  Mask result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool shared = a[lane] - kSharedWindow < kWindowSize;
    const bool local = a[lane] - kLocalWindow < kWindowSize;
    const bool inside = kSpace == Space::shared  ? shared
                        : kSpace == Space::local ? local
                                                 : !shared && !local;
    result |= Mask{inside} << lane;
  }
  write_predicate(warp, inst->dst.offset, mask, result);
  return inst + 1;
}

struct Finite {
  template <class T>
  static bool apply(T a) {
    return std::isfinite(a);
  }
};
struct Infinite {
  template <class T>
  static bool apply(T a) {
    return std::isinf(a);
  }
};
struct Number {
  template <class T>
  static bool apply(T a) {
    return a == a;
  }
};
struct NotNumber {
  template <class T>
  static bool apply(T a) {
    return a != a;
  }
};
struct Normal {
  template <class T>
  static bool apply(T a) {
    return std::isnormal(a) || a == 0;
  }
};
struct Subnormal {
  template <class T>
  static bool apply(T a) {
    return std::fpclassify(a) == FP_SUBNORMAL;
  }
};

template <class F, class T>
const Inst* testp(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  Mask result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) result |= Mask{F::apply(a[lane])} << lane;
  write_predicate(warp, inst->dst.offset, mask, result);
  return inst + 1;
}

template <class F>
Handler testp_of(const Opcode& op) {
  return op.type() == Type::f64 ? testp<F, double> : testp<F, float>;
}

Mask predicate(const Warp& warp, Ref ref, bool negated) {
  const Mask value = warp.predicates[ref.offset];
  return negated ? ~value : value;
}

}  // namespace

Handler move_handler(unsigned bytes) {
  switch (bytes) {
    case 2:
      return map1<Copy<std::uint16_t>, std::uint16_t, std::uint16_t>;
    case 4:
      return map1<Copy<std::uint32_t>, std::uint32_t, std::uint32_t>;
    case 8:
      return map1<Copy<std::uint64_t>, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler add_offset_handler(unsigned bytes) {
  if (bytes == 8) return add_offset<std::uint64_t>;
  return bytes == 4 ? add_offset<std::uint32_t> : nullptr;
}

Handler local_address_handler(unsigned bytes) {
  return bytes == 8 ? local_address<std::uint64_t> : local_address<std::uint32_t>;
}

Handler pack_handler(unsigned bytes, unsigned total) {
  if (bytes == 4 && total == 8) return pack<std::uint32_t, std::uint64_t>;
  if (bytes == 2 && total == 8) return pack<std::uint16_t, std::uint64_t>;
  if (bytes == 2 && total == 4) return pack<std::uint16_t, std::uint32_t>;
  return nullptr;
}

Handler unpack_handler(unsigned bytes, unsigned total) {
  if (bytes == 4 && total == 8) return unpack<std::uint32_t, std::uint64_t>;
  if (bytes == 2 && total == 8) return unpack<std::uint16_t, std::uint64_t>;
  if (bytes == 2 && total == 4) return unpack<std::uint16_t, std::uint32_t>;
  return nullptr;
}

int special_index(const std::string& name) {
  for (const SpecialRow& row : kSpecials) {
    if (row.name == name) return static_cast<int>(row.special);
  }
  return -1;
}

Handler special_handler(unsigned bytes) {
  switch (bytes) {
    case 2:
      return read_special<std::uint16_t>;
    case 4:
      return read_special<std::uint32_t>;
    case 8:
      return read_special<std::uint64_t>;
    default:
      return nullptr;
  }
}

const Inst* predicate_move(Warp& warp, const Inst* inst, Mask mask) {
  write_predicate(warp, inst->dst.offset, mask, predicate(warp, inst->a, inst->flags & 1));
  return inst + 1;
}

const Inst* predicate_and(Warp& warp, const Inst* inst, Mask mask) {
  write_predicate(
      warp, inst->dst.offset, mask,
      predicate(warp, inst->a, inst->flags & 1) & predicate(warp, inst->b, inst->flags & 2));
  return inst + 1;
}

const Inst* predicate_or(Warp& warp, const Inst* inst, Mask mask) {
  write_predicate(
      warp, inst->dst.offset, mask,
      predicate(warp, inst->a, inst->flags & 1) | predicate(warp, inst->b, inst->flags & 2));
  return inst + 1;
}

const Inst* predicate_xor(Warp& warp, const Inst* inst, Mask mask) {
  write_predicate(
      warp, inst->dst.offset, mask,
      predicate(warp, inst->a, inst->flags & 1) ^ predicate(warp, inst->b, inst->flags & 2));
  return inst + 1;
}

Handler isspacep_handler(Space space) {
  if (space == Space::shared) return isspacep<Space::shared>;
  if (space == Space::local) return isspacep<Space::local>;
  return space == Space::global ? isspacep<Space::global> : nullptr;
}

const Inst* activemask(Warp& warp, const Inst* inst, Mask mask) {
  write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned) { return mask; });
  return inst + 1;
}

Handler testp_handler(const Opcode& op) {
  if (op.type() != Type::f32 && op.type() != Type::f64) return nullptr;
  if (op.has("finite")) return testp_of<Finite>(op);
  if (op.has("infinite")) return testp_of<Infinite>(op);
  if (op.has("number")) return testp_of<Number>(op);
  if (op.has("notanumber")) return testp_of<NotNumber>(op);
  if (op.has("normal")) return testp_of<Normal>(op);
  return op.has("subnormal") ? testp_of<Subnormal>(op) : nullptr;
}

const Inst* nothing(Warp&, const Inst* inst, Mask) {
  return inst + 1;
}

}  // namespace tessera::sim
