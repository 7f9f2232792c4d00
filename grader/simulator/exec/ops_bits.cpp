// Logic, shifts and bit fields (PTX ISA 9.7.1.12 on, 9.7.8). Shift counts clamp at the width.
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

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

/// A position or a length of bfe and bfi: of 32-bit values its low byte, of 64-bit ones all of it
/// (measured on an H100).
template <class T>
unsigned bit_count(U32 value) {
  return sizeof(T) == 4 ? value & 0xff : std::min(value, 2 * kBits<T>);
}

template <class T>
struct Bfe {
  static T apply(T a, U32 b, U32 c) {
    using U = std::make_unsigned_t<T>;
    const unsigned position = bit_count<T>(b);
    const unsigned length = bit_count<T>(c);
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
const Inst* insert_bits(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  const U32* c = warp.reg<U32>(inst->c);
  const U32* d = warp.reg<U32>(inst->d);
  write_lanes<T>(warp, inst->dst, mask, [=](unsigned lane) {
    const unsigned position = bit_count<T>(c[lane]);
    const unsigned length = bit_count<T>(d[lane]);
    if (position >= kBits<T> || length == 0) return b[lane];
    const T field =
        length >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    return static_cast<T>((b[lane] & ~(field << position)) | ((a[lane] & field) << position));
  });
  return inst + 1;
}

const Inst* logic_table(Warp& warp, const Inst* inst, Mask mask) {
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

/// The unsigned type of the operands' width.
Type bits_of(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type());
  return bytes == 2 ? Type::u16 : bytes == 4 ? Type::u32 : bytes == 8 ? Type::u64 : Type::none;
}

template <template <class> class F>
LaneOp one(const Opcode& op) {
  return of_type<U16, U32, U64>(bits_of(op), []<class T>(T) { return lane_op1<F<T>, T, T>(); });
}

template <template <class> class F>
LaneOp two(const Opcode& op) {
  return of_type<U16, U32, U64>(bits_of(op), []<class T>(T) { return lane_op2<F<T>, T, T>(); });
}

template <class F>
LaneOp three(const Opcode&) {
  return lane_op3<F, U32, U32>();
}

/// 4 or 8 bytes.
template <template <class> class F>
LaneOp word(const Opcode& op) {
  const auto of = []<class T>(T) { return lane_op1<F<T>, decltype(F<T>::apply(T{})), T>(); };
  return ptx::bytes(op.type()) == 8 ? of(U64{}) : of(U32{});
}

LaneOp shift_right(const Opcode& op) {
  return of_type<U16, I16, U32, I32, U64, I64>(
      as_unsigned(op.type()), []<class T>(T) { return lane_op2<Shr<T>, T, T, U32>(); });
}

LaneOp shift_left(const Opcode& op) {
  return of_type<U16, U32, U64>(bits_of(op),
                                []<class T>(T) { return lane_op2<Shl<T>, T, T, U32>(); });
}

LaneOp bfind(const Opcode& op) {
  return of_type<U32, I32, U64, I64>(op.type(), [&]<class T>(T) {
    return op.has("shiftamt") ? lane_op1<Bfind<T, true>, U32, T>()
                              : lane_op1<Bfind<T, false>, U32, T>();
  });
}

LaneOp bfe(const Opcode& op) {
  return of_type<U32, I32, U64, I64>(op.type(),
                                     []<class T>(T) { return lane_op3<Bfe<T>, T, T, U32, U32>(); });
}

LaneOp bfi(const Opcode& op) {
  return ptx::bytes(op.type()) == 8 ? LaneOp{insert_bits<U64>, 8, 8, 8, 4, 4}
                                    : LaneOp{insert_bits<U32>, 4, 4, 4, 4, 4};
}

LaneOp bmsk(const Opcode& op) {
  return op.has("wrap") ? lane_op2<Bmsk<true>, U32, U32>() : lane_op2<Bmsk<false>, U32, U32>();
}

LaneOp lop3(const Opcode&) {
  return {logic_table, 4, 4, 4, 4, 4};
}

LaneOp funnel(const Opcode& op) {
  const bool wrap = op.has("wrap");
  if (op.has("l")) return wrap ? three<ShfLeftWrap>(op) : three<ShfLeftClamp>(op);
  return wrap ? three<ShfRightWrap>(op) : three<ShfRightClamp>(op);
}

LaneOp permute(const Opcode& op) {
  if (op.has("f4e")) return three<Prmt<PermuteMode::f4e>>(op);
  if (op.has("b4e")) return three<Prmt<PermuteMode::b4e>>(op);
  if (op.has("rc8")) return three<Prmt<PermuteMode::rc8>>(op);
  if (op.has("ecl")) return three<Prmt<PermuteMode::ecl>>(op);
  if (op.has("ecr")) return three<Prmt<PermuteMode::ecr>>(op);
  if (op.has("rc16")) return three<Prmt<PermuteMode::rc16>>(op);
  return three<Prmt<PermuteMode::generic>>(op);
}

LaneOp szext(const Opcode& op) {
  const auto of = [&]<class T>(T) {
    return op.has("wrap") ? lane_op2<Szext<T, true>, T, T, U32>()
                          : lane_op2<Szext<T, false>, T, T, U32>();
  };
  return op.type() == Type::s32 ? of(I32{}) : of(U32{});
}

}  // namespace

LaneOp bit_op(const Opcode& op) {
  static constexpr LaneMaker kMakers[] = {
#define INSTRUCTION(name, words, unit, traits, decode, integer, bits, floating, directed, half) \
  bits,
#include "grader/simulator/ptx/instruction_set.def"
  };
  return kMakers[op.row](op);
}

}  // namespace tessera::sim
