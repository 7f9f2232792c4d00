// Logic, shifts and bit fields (PTX ISA 9.7.1.12 on, 9.7.8). Shift counts clamp at the width.
#include "grader/simulator/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class T>
constexpr unsigned kBits = 8 * sizeof(T);

template <class T>
struct And {
  static T apply(T a, T b) { return static_cast<T>(a & b); }
};
template <class T>
struct Or {
  static T apply(T a, T b) { return static_cast<T>(a | b); }
};
template <class T>
struct Xor {
  static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T>
struct Not {
  static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct Cnot {
  static T apply(T a) { return a == 0; }
};

template <class T>
struct Shl {
  static T apply(T a, U32 b) { return b >= kBits<T> ? T{0} : static_cast<T>(a << b); }
};

template <class T>
struct Shr {
  static T apply(T a, U32 b) {
    if (b >= kBits<T>) b = std::is_signed_v<T> ? kBits<T> - 1 : kBits<T>;
    return b >= kBits<T> ? T{0} : static_cast<T>(a >> b);
  }
};

struct ShfLeftClamp {
  static U32 apply(U32 a, U32 b, U32 c) {
    return static_cast<U32>(((U64{b} << 32 | a) << std::min(c, 32u)) >> 32);
  }
};
struct ShfLeftWrap {
  static U32 apply(U32 a, U32 b, U32 c) { return ShfLeftClamp::apply(a, b, c & 31); }
};
struct ShfRightClamp {
  static U32 apply(U32 a, U32 b, U32 c) {
    return static_cast<U32>((U64{b} << 32 | a) >> std::min(c, 32u));
  }
};
struct ShfRightWrap {
  static U32 apply(U32 a, U32 b, U32 c) { return ShfRightClamp::apply(a, b, c & 31); }
};

template <class T>
struct Popc {
  static U32 apply(T a) { return static_cast<U32>(std::popcount(a)); }
};
template <class T>
struct Clz {
  static U32 apply(T a) { return static_cast<U32>(std::countl_zero(a)); }
};

template <class T>
struct Brev {
  static T apply(T a) {
    T result = 0;
    for (unsigned i = 0; i < kBits<T>; ++i)
      result |= static_cast<T>(((a >> i) & 1) << (kBits<T> - 1 - i));
    return result;
  }
};

/// Position of the highest bit that is not a copy of the sign (signed) or is set (unsigned).
template <class T, bool kShift>
struct Bfind {
  static U32 apply(T a) {
    std::make_unsigned_t<T> value = static_cast<std::make_unsigned_t<T>>(a);
    if (std::is_signed_v<T> && a < 0) value = static_cast<std::make_unsigned_t<T>>(~value);
    if (value == 0) return 0xffffffffu;
    const unsigned leading = static_cast<unsigned>(std::countl_zero(value));
    return kShift ? leading : kBits<T> - 1 - leading;
  }
};

template <class T>
struct Bfe {
  static T apply(T a, U32 b, U32 c) {
    using U = std::make_unsigned_t<T>;
    const unsigned position = b & 0xff;
    const unsigned length = c & 0xff;
    if (length == 0) return 0;
    const unsigned top = std::min(position + length - 1, kBits<T> - 1);
    const U sign = std::is_signed_v<T> ? (static_cast<U>(a) >> top) & 1 : 0;
    U result = position >= kBits<T> ? 0 : static_cast<U>(a) >> position;
    const unsigned kept = position >= kBits<T> ? 0 : std::min(length, kBits<T> - position);
    if (kept < kBits<T>) {
      const U low = (U{1} << kept) - 1;
      result = (result & low) | (sign ? ~low : 0);
    }
    return static_cast<T>(result);
  }
};

template <class T>
const Inst* bfi(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  const U32* c = warp.reg<U32>(inst->c);
  const U32* d = warp.reg<U32>(inst->d);
  write_lanes<T>(warp, inst->dst, mask, [=](unsigned lane) {
    const unsigned position = c[lane] & 0xff;
    const unsigned length = d[lane] & 0xff;
    if (position >= kBits<T> || length == 0) return b[lane];
    const T field =
        length >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    return static_cast<T>((b[lane] & ~(field << position)) | ((a[lane] & field) << position));
  });
  return inst + 1;
}

const Inst* lop3(Warp& warp, const Inst* inst, Mask mask) {
  const U32* a = warp.reg<U32>(inst->a);
  const U32* b = warp.reg<U32>(inst->b);
  const U32* c = warp.reg<U32>(inst->c);
  const U32 table = warp.reg<U32>(inst->d)[0];
  write_lanes<U32>(warp, inst->dst, mask, [=](unsigned lane) {
    U32 result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (!((table >> i) & 1)) continue;
      result |= (i & 4 ? a[lane] : ~a[lane]) & (i & 2 ? b[lane] : ~b[lane]) &
                (i & 1 ? c[lane] : ~c[lane]);
    }
    return result;
  });
  return inst + 1;
}

/// The four selectors of prmt's special modes, by the low two bits of c.
enum class PermuteMode { generic, f4e, b4e, rc8, ecl, ecr, rc16 };

U32 permute_selectors(PermuteMode mode, U32 c) {
  static constexpr U32 kSelectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
      {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
      {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
      {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
      {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
      {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
  };
  return mode == PermuteMode::generic ? c : kSelectors[static_cast<int>(mode) - 1][c & 3];
}

template <PermuteMode kMode>
struct Prmt {
  static U32 apply(U32 a, U32 b, U32 c) {
    const U64 pool = U64{b} << 32 | a;
    const U32 selectors = permute_selectors(kMode, c);
    U32 result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const U32 selector = (selectors >> (4 * i)) & 0xf;
      U32 byte = static_cast<U32>(pool >> (8 * (selector & 7))) & 0xff;
      if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};

template <class T, bool kWrap>
struct Szext {
  static T apply(T a, U32 b) {
    const unsigned length = kWrap ? b & 31 : std::min(b, 32u);
    if (length == 0) return 0;
    const unsigned shift = 32 - length;
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(static_cast<std::int32_t>(static_cast<U32>(a) << shift) >> shift);
    }
    return static_cast<T>((static_cast<U32>(a) << shift) >> shift);
  }
};

template <bool kWrap>
struct Bmsk {
  static U32 apply(U32 a, U32 b) {
    if (kWrap) {
      a &= 31;
      b &= 31;
    }
    if (a >= 32 || b == 0) return 0;
    const U32 field = b >= 32 ? 0xffffffffu : (U32{1} << b) - 1;
    return field << a;
  }
};

struct Fns {
  static U32 apply(U32 bits, U32 base, U32 offset) {
    const auto n = static_cast<std::int32_t>(offset);
    if (base > 31) return 0xffffffffu;
    if (n == 0) return (bits >> base) & 1 ? base : 0xffffffffu;
    std::int64_t left = n > 0 ? n : -std::int64_t{n};
    for (int position = static_cast<int>(base);
         position >= 0 && position<32; position += n> 0 ? 1 : -1) {
      if ((bits >> position) & 1 && --left == 0) return static_cast<U32>(position);
    }
    return 0xffffffffu;
  }
};

template <template <class> class F>
LaneOp by_width2(Type type) {
  switch (ptx::bytes(type)) {
    case 2:
      return lane_op2<F<U16>, U16, U16>();
    case 4:
      return lane_op2<F<U32>, U32, U32>();
    case 8:
      return lane_op2<F<U64>, U64, U64>();
    default:
      return {};
  }
}

template <template <class> class F>
LaneOp by_width1(Type type) {
  switch (ptx::bytes(type)) {
    case 2:
      return lane_op1<F<U16>, U16, U16>();
    case 4:
      return lane_op1<F<U32>, U32, U32>();
    case 8:
      return lane_op1<F<U64>, U64, U64>();
    default:
      return {};
  }
}

template <class F, class T>
LaneOp shift_op() {
  return lane_op2<F, T, T, U32>();
}

LaneOp shift_right(Type type) {
  switch (type) {
    case Type::s16:
      return shift_op<Shr<std::int16_t>, std::int16_t>();
    case Type::s32:
      return shift_op<Shr<std::int32_t>, std::int32_t>();
    case Type::s64:
      return shift_op<Shr<std::int64_t>, std::int64_t>();
    case Type::u16:
    case Type::b16:
      return shift_op<Shr<U16>, U16>();
    case Type::u32:
    case Type::b32:
      return shift_op<Shr<U32>, U32>();
    case Type::u64:
    case Type::b64:
      return shift_op<Shr<U64>, U64>();
    default:
      return {};
  }
}

LaneOp shift_left(Type type) {
  switch (ptx::bytes(type)) {
    case 2:
      return shift_op<Shl<U16>, U16>();
    case 4:
      return shift_op<Shl<U32>, U32>();
    case 8:
      return shift_op<Shl<U64>, U64>();
    default:
      return {};
  }
}

template <class T>
LaneOp bfind_op(bool shift) {
  return shift ? lane_op1<Bfind<T, true>, U32, T>() : lane_op1<Bfind<T, false>, U32, T>();
}

LaneOp bfind(const Opcode& op) {
  const bool shift = op.has("shiftamt");
  switch (op.type()) {
    case Type::u32:
      return bfind_op<U32>(shift);
    case Type::s32:
      return bfind_op<std::int32_t>(shift);
    case Type::u64:
      return bfind_op<U64>(shift);
    case Type::s64:
      return bfind_op<std::int64_t>(shift);
    default:
      return {};
  }
}

LaneOp bfe(Type type) {
  switch (type) {
    case Type::u32:
      return lane_op3<Bfe<U32>, U32, U32, U32, U32>();
    case Type::s32:
      return lane_op3<Bfe<std::int32_t>, std::int32_t, std::int32_t, U32, U32>();
    case Type::u64:
      return lane_op3<Bfe<U64>, U64, U64, U32, U32>();
    case Type::s64:
      return lane_op3<Bfe<std::int64_t>, std::int64_t, std::int64_t, U32, U32>();
    default:
      return {};
  }
}

LaneOp funnel(const Opcode& op) {
  const bool wrap = op.has("wrap");
  if (op.has("l"))
    return wrap ? lane_op3<ShfLeftWrap, U32, U32>() : lane_op3<ShfLeftClamp, U32, U32>();
  return wrap ? lane_op3<ShfRightWrap, U32, U32>() : lane_op3<ShfRightClamp, U32, U32>();
}

LaneOp permute(const Opcode& op) {
  if (op.has("f4e")) return lane_op3<Prmt<PermuteMode::f4e>, U32, U32>();
  if (op.has("b4e")) return lane_op3<Prmt<PermuteMode::b4e>, U32, U32>();
  if (op.has("rc8")) return lane_op3<Prmt<PermuteMode::rc8>, U32, U32>();
  if (op.has("ecl")) return lane_op3<Prmt<PermuteMode::ecl>, U32, U32>();
  if (op.has("ecr")) return lane_op3<Prmt<PermuteMode::ecr>, U32, U32>();
  if (op.has("rc16")) return lane_op3<Prmt<PermuteMode::rc16>, U32, U32>();
  return lane_op3<Prmt<PermuteMode::generic>, U32, U32>();
}

LaneOp szext(const Opcode& op) {
  using I32 = std::int32_t;
  if (op.type() == Type::s32) {
    return op.has("wrap") ? lane_op2<Szext<I32, true>, I32, I32, U32>()
                          : lane_op2<Szext<I32, false>, I32, I32, U32>();
  }
  return op.has("wrap") ? lane_op2<Szext<U32, true>, U32, U32>()
                        : lane_op2<Szext<U32, false>, U32, U32>();
}

}  // namespace

LaneOp bit_op(const Opcode& op) {
  const std::string_view name = op.name();
  const Type type = op.type();
  const bool wide = ptx::bytes(type) == 8;
  if (name == "and") return by_width2<And>(type);
  if (name == "or") return by_width2<Or>(type);
  if (name == "xor") return by_width2<Xor>(type);
  if (name == "not") return by_width1<Not>(type);
  if (name == "cnot") return by_width1<Cnot>(type);
  if (name == "shl") return shift_left(type);
  if (name == "shr") return shift_right(type);
  if (name == "shf") return funnel(op);
  if (name == "popc")
    return wide ? lane_op1<Popc<U64>, U32, U64>() : lane_op1<Popc<U32>, U32, U32>();
  if (name == "clz") return wide ? lane_op1<Clz<U64>, U32, U64>() : lane_op1<Clz<U32>, U32, U32>();
  if (name == "brev")
    return wide ? lane_op1<Brev<U64>, U64, U64>() : lane_op1<Brev<U32>, U32, U32>();
  if (name == "bfind") return bfind(op);
  if (name == "bfe") return bfe(type);
  if (name == "bfi")
    return wide ? LaneOp{bfi<U64>, 8, 8, 8, 4, 4} : LaneOp{bfi<U32>, 4, 4, 4, 4, 4};
  if (name == "lop3" && !op.has("BoolOp")) return {lop3, 4, 4, 4, 4, 4};
  if (name == "prmt") return permute(op);
  if (name == "szext") return szext(op);
  if (name == "bmsk")
    return op.has("wrap") ? lane_op2<Bmsk<true>, U32, U32>() : lane_op2<Bmsk<false>, U32, U32>();
  if (name == "fns") return lane_op3<Fns, U32, U32>();
  return {};
}

}  // namespace tessera::sim
