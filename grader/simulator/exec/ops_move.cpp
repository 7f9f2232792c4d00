#include "grader/simulator/exec/ops_move.h"

#include <algorithm>
#include <cmath>

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

template <Space kSpace>
const Inst* isspacep(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint64_t* a = warp.reg<std::uint64_t>(inst->a);
  Mask result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool shared = is_shared_address(a[lane]);
    const bool local = is_local_address(a[lane]);
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
