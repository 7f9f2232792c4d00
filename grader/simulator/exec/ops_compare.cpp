// setp, set, selp and slct (PTX ISA 9.7.6). Predicates are masks: bit i belongs to lane i.
#include "grader/simulator/exec/ops_compare.h"

#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

// Ordered comparisons are false with a NaN, the ...u ones true; num and nan look at the operands
// alone.
struct Eq {
  template <class T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static bool apply(T a, T b) {
    return a < b || a > b;
  }
};
struct Lt {
  template <class T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
struct Equ {
  template <class T>
  static bool apply(T a, T b) {
    return !(a < b || a > b);
  }
};
struct Neu {
  template <class T>
  static bool apply(T a, T b) {
    return !(a == b);
  }
};
struct Ltu {
  template <class T>
  static bool apply(T a, T b) {
    return !(a >= b);
  }
};
struct Leu {
  template <class T>
  static bool apply(T a, T b) {
    return !(a > b);
  }
};
struct Gtu {
  template <class T>
  static bool apply(T a, T b) {
    return !(a <= b);
  }
};
struct Geu {
  template <class T>
  static bool apply(T a, T b) {
    return !(a < b);
  }
};
struct Num {
  template <class T>
  static bool apply(T a, T b) {
    return a == a && b == b;
  }
};
struct Nan {
  template <class T>
  static bool apply(T a, T b) {
    return a != a || b != b;
  }
};

/// How the lanes of a register become values that can be compared.
template <class T>
struct Plain {
  using Storage = T;
  static constexpr unsigned kParts = 1;
  static T value(T raw, unsigned) { return raw; }
};
struct Flushed {
  using Storage = float;
  static constexpr unsigned kParts = 1;
  static float value(float raw, unsigned) { return flush(raw); }
};
template <class Format>
struct Half {
  using Storage = std::uint16_t;
  static constexpr unsigned kParts = 1;
  static float value(std::uint16_t raw, unsigned) { return widen<Format>(raw); }
};
template <class Format>
struct HalfPair {
  using Storage = std::uint32_t;
  static constexpr unsigned kParts = 2;
  static float value(std::uint32_t raw, unsigned part) {
    return widen<Format>(static_cast<std::uint16_t>(raw >> (16 * part)));
  }
};

template <class Compare, class Kind>
Mask compare(Warp& warp, const Inst* inst, unsigned part) {
  using T = typename Kind::Storage;
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  Mask result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result |= Mask{Compare::apply(Kind::value(a[lane], part), Kind::value(b[lane], part))} << lane;
  }
  return result;
}

Mask combine(const Warp& warp, const Inst* inst, Mask value) {
  if (!(inst->flags & CompareFlags::kCombine)) return value;
  Mask other = warp.predicates[inst->c.offset];
  if (inst->flags & CompareFlags::kNegate) other = ~other;
  switch (inst->flags & CompareFlags::kCombine) {
    case CompareFlags::kAnd:
      return value & other;
    case CompareFlags::kOr:
      return value | other;
    default:
      return value ^ other;
  }
}

template <class Compare, class Kind>
const Inst* setp(Warp& warp, const Inst* inst, Mask mask) {
  const Mask first = compare<Compare, Kind>(warp, inst, 0);
  // The second predicate is the complement, or the upper half's result for packed operands.
  const Mask second = Kind::kParts == 2 ? compare<Compare, Kind>(warp, inst, 1) : ~first;
  const Mask p = combine(warp, inst, first);
  const Mask q = combine(warp, inst, second);
  if (inst->dst.offset != 0) write_predicate(warp, inst->dst.offset, mask, p);
  if (inst->dst2.offset != 0) write_predicate(warp, inst->dst2.offset, mask, q);
  return inst + 1;
}

template <class Compare, class Kind, class D>
const Inst* set(Warp& warp, const Inst* inst, Mask mask) {
  const Mask low = combine(warp, inst, compare<Compare, Kind>(warp, inst, 0));
  const Mask high =
      Kind::kParts == 2 ? combine(warp, inst, compare<Compare, Kind>(warp, inst, 1)) : 0;
  const auto true_value = static_cast<D>(inst->offset);
  write_lanes<D>(warp, inst->dst, mask, [=](unsigned lane) {
    if constexpr (Kind::kParts == 2) {
      // One 16-bit result a half; true_value holds it twice.
      return static_cast<D>((((low >> lane) & 1) ? true_value & 0xffffu : 0u) |
                            (((high >> lane) & 1) ? true_value & 0xffff0000u : 0u));
    } else {
      return (low >> lane) & 1 ? true_value : D{0};
    }
  });
  return inst + 1;
}

template <class Kind>
struct SetpMaker {
  template <class Compare>
  static Handler make() {
    return setp<Compare, Kind>;
  }
};
template <class Kind>
struct Set32Maker {
  template <class Compare>
  static Handler make() {
    return set<Compare, Kind, std::uint32_t>;
  }
};
template <class Kind>
struct Set16Maker {
  template <class Compare>
  static Handler make() {
    if constexpr (Kind::kParts == 1) return set<Compare, Kind, std::uint16_t>;
    return nullptr;
  }
};

template <class Maker>
Handler by_comparison(const Opcode& op) {
  struct Row {
    std::string_view word;
    Handler (*make)();
  };
  static constexpr Row kRows[] = {
      {"eq", Maker::template make<Eq>},   {"ne", Maker::template make<Ne>},
      {"lt", Maker::template make<Lt>},   {"le", Maker::template make<Le>},
      {"gt", Maker::template make<Gt>},   {"ge", Maker::template make<Ge>},
      {"lo", Maker::template make<Lt>},   {"ls", Maker::template make<Le>},
      {"hi", Maker::template make<Gt>},   {"hs", Maker::template make<Ge>},
      {"equ", Maker::template make<Equ>}, {"neu", Maker::template make<Neu>},
      {"ltu", Maker::template make<Ltu>}, {"leu", Maker::template make<Leu>},
      {"gtu", Maker::template make<Gtu>}, {"geu", Maker::template make<Geu>},
      {"num", Maker::template make<Num>}, {"nan", Maker::template make<Nan>},
  };
  for (const Row& row : kRows) {
    if (op.words.size() > 1 && op.words[1] == row.word) return row.make();
  }
  return nullptr;
}

template <template <class> class Maker>
Handler by_type(const Opcode& op, Type type) {
  if (op.has("ftz") && type != Type::f32) return nullptr;
  switch (type) {
    case Type::f16:
      return by_comparison<Maker<Half<HalfFormat>>>(op);
    case Type::bf16:
      return by_comparison<Maker<Half<Bfloat16Format>>>(op);
    case Type::f16x2:
      return by_comparison<Maker<HalfPair<HalfFormat>>>(op);
    case Type::bf16x2:
      return by_comparison<Maker<HalfPair<Bfloat16Format>>>(op);
    default:
      if (op.has("ftz")) return by_comparison<Maker<Flushed>>(op);
      return of_type<U16, I16, U32, I32, U64, I64, float, double>(
          as_unsigned(type), [&]<class T>(T) { return by_comparison<Maker<Plain<T>>>(op); });
  }
}

template <class T>
const Inst* selp(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  Mask choose = warp.predicates[inst->c.offset];
  if (inst->flags & CompareFlags::kNegate) choose = ~choose;
  write_lanes<T>(warp, inst->dst, mask,
                 [=](unsigned lane) { return (choose >> lane) & 1 ? a[lane] : b[lane]; });
  return inst + 1;
}

template <class T, class C, bool kFtz>
const Inst* slct(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  const C* c = warp.reg<C>(inst->c);
  // -0.0 >= 0 selects a; a NaN selects b.
  write_lanes<T>(warp, inst->dst, mask, [=](unsigned lane) {
    C choice = c[lane];
    if constexpr (kFtz) choice = flush(choice);
    return choice >= C{0} ? a[lane] : b[lane];
  });
  return inst + 1;
}

template <class T>
Handler slct_by_condition(const Opcode& op) {
  if (op.type(1) == Type::s32) return slct<T, std::int32_t, false>;
  if (op.type(1) != Type::f32) return nullptr;
  return op.has("ftz") ? slct<T, float, true> : slct<T, float, false>;
}

}  // namespace

Handler setp_handler(const Opcode& op) {
  return by_type<SetpMaker>(op, op.type());
}

Handler set_handler(const Opcode& op) {
  switch (ptx::bytes(op.type(0))) {
    case 2:
      return by_type<Set16Maker>(op, op.type(1));
    case 4:
      return by_type<Set32Maker>(op, op.type(1));
    default:
      return nullptr;
  }
}

std::int64_t set_true_value(const Opcode& op) {
  switch (op.type(0)) {
    case Type::f32:
      return 0x3f800000;
    case Type::f16:
      return 0x3c00;
    case Type::f16x2:
      return 0x3c003c00;
    case Type::bf16:
      return 0x3f80;
    case Type::bf16x2:
      return 0x3f803f80;
    default:
      return 0xffffffff;
  }
}

Handler select_handler(const Opcode& op) {
  const bool by_predicate = op.name() == "selp";
  switch (ptx::bytes(op.type())) {
    case 2:
      return by_predicate ? selp<std::uint16_t> : slct_by_condition<std::uint16_t>(op);
    case 4:
      return by_predicate ? selp<std::uint32_t> : slct_by_condition<std::uint32_t>(op);
    case 8:
      return by_predicate ? selp<std::uint64_t> : slct_by_condition<std::uint64_t>(op);
    default:
      return nullptr;
  }
}

}  // namespace tessera::sim
