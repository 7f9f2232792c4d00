// Integer arithmetic (PTX ISA 9.7.1, 9.7.2). Results wrap; signed work is done on unsigned values
// where C++ would not.
#include <limits>
#include <type_traits>

#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
struct Wider;
template <>
struct Wider<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Wider<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Wider<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Wider<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Wider<std::uint64_t> {
  using type = Uint128;
};
template <>
struct Wider<std::int64_t> {
  using type = Int128;
};
template <class T>
using WiderOf = typename Wider<T>::type;

template <class T>
T wrap_add(T a, T b) {
  return static_cast<T>(
      static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)));
}

template <class T>
T wrap_sub(T a, T b) {
  return static_cast<T>(
      static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)));
}

template <class T>
T wrap_mul(T a, T b) {
  // 16-bit operands would be promoted to int, where the product can overflow.
  using U = std::conditional_t<sizeof(T) < 4, std::uint32_t, Unsigned<T>>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) * static_cast<U>(b)));
}

template <class T>
T high_mul(T a, T b) {
  return static_cast<T>((static_cast<WiderOf<T>>(a) * static_cast<WiderOf<T>>(b)) >>
                        (8 * sizeof(T)));
}

std::int32_t saturate(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(
      value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

template <class T>
struct Add {
  static T apply(T a, T b) { return wrap_add(a, b); }
};
template <class T>
struct Sub {
  static T apply(T a, T b) { return wrap_sub(a, b); }
};
template <class T>
struct MulLo {
  static T apply(T a, T b) { return wrap_mul(a, b); }
};
template <class T>
struct MulHi {
  static T apply(T a, T b) { return high_mul(a, b); }
};
template <class T>
struct MadLo {
  static T apply(T a, T b, T c) { return wrap_add(wrap_mul(a, b), c); }
};
template <class T>
struct MadHi {
  static T apply(T a, T b, T c) { return wrap_add(high_mul(a, b), c); }
};
template <class T>
struct Min {
  static T apply(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
template <class T>
struct Neg {
  static T apply(T a) { return wrap_sub(T{0}, a); }
};
template <class T>
struct Abs {
  static T apply(T a) { return a < 0 ? wrap_sub(T{0}, a) : a; }
};

template <class T>
struct Div {
  static T apply(T a, T b) {
    // The ISA leaves division by zero to the machine; the machines give all ones.
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return wrap_sub(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};

template <class T>
struct Rem {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};

template <class T>
struct Sad {
  static T apply(T a, T b, T c) { return wrap_add(c, a < b ? wrap_sub(b, a) : wrap_sub(a, b)); }
};

template <class T>
struct MulWide {
  static WiderOf<T> apply(T a, T b) {
    return static_cast<WiderOf<T>>(static_cast<WiderOf<T>>(a) * static_cast<WiderOf<T>>(b));
  }
};

template <class T>
struct MadWide {
  static WiderOf<T> apply(T a, T b, WiderOf<T> c) {
    return wrap_add(
        static_cast<WiderOf<T>>(static_cast<WiderOf<T>>(a) * static_cast<WiderOf<T>>(b)), c);
  }
};

template <class T>
struct MinRelu {
  static T apply(T a, T b) { return std::max<T>(0, Min<T>::apply(a, b)); }
};
template <class T>
struct MaxRelu {
  static T apply(T a, T b) { return std::max<T>(0, Max<T>::apply(a, b)); }
};

/// Two 16-bit operations in one register.
template <class F, class T>
struct Pair16 {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    std::uint32_t result = 0;
    for (unsigned shift : {0u, 16u}) {
      const T value = F::apply(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
      result |= std::uint32_t{static_cast<std::uint16_t>(value)} << shift;
    }
    return result;
  }
};

struct AddSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    return saturate(std::int64_t{a} + b);
  }
};
struct SubSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    return saturate(std::int64_t{a} - b);
  }
};
struct MadHiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturate(std::int64_t{high_mul(a, b)} + c);
  }
};

template <class T>
std::int64_t product24(T a, T b) {
  // The low 24 bits of each operand, sign-extended for signed types.
  if constexpr (std::is_signed_v<T>) {
    const auto narrow = [](T value) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8) >> 8;
    };
    return std::int64_t{narrow(a)} * narrow(b);
  } else {
    return static_cast<std::int64_t>(std::uint64_t{a & 0xffffffu} * (b & 0xffffffu));
  }
}

template <class T>
struct Mul24Lo {
  static T apply(T a, T b) { return static_cast<T>(product24(a, b)); }
};
template <class T>
struct Mul24Hi {
  static T apply(T a, T b) { return static_cast<T>(product24(a, b) >> 16); }
};
template <class T>
struct Mad24Lo {
  static T apply(T a, T b, T c) { return wrap_add(Mul24Lo<T>::apply(a, b), c); }
};
template <class T>
struct Mad24Hi {
  static T apply(T a, T b, T c) { return wrap_add(Mul24Hi<T>::apply(a, b), c); }
};
struct Mad24HiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturate(std::int64_t{Mul24Hi<std::int32_t>::apply(a, b)} + c);
  }
};

template <class A, class B>
struct Dp4a {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 4; ++i) {
      const std::int32_t x = static_cast<A>(a >> (8 * i));
      const std::int32_t y = static_cast<B>(b >> (8 * i));
      c += static_cast<std::uint32_t>(x * y);
    }
    return c;
  }
};

template <class A, class B, unsigned kHigh>
struct Dp2a {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < 2; ++i) {
      const std::int64_t x = static_cast<A>(a >> (16 * i));
      const std::int64_t y = static_cast<B>(b >> (8 * (i + 2 * kHigh)));
      c += static_cast<std::uint32_t>(x * y);
    }
    return c;
  }
};

/// Signed types.
template <template <class> class F>
LaneOp one(const Opcode& op) {
  return of_type<I16, I32, I64>(op.type(), []<class T>(T) { return lane_op1<F<T>, T, T>(); });
}

template <template <class> class F>
LaneOp two(const Opcode& op) {
  return of_type<U16, I16, U32, I32, U64, I64>(as_unsigned(op.type()),
                                               []<class T>(T) { return lane_op2<F<T>, T, T>(); });
}

template <template <class> class F>
LaneOp three(const Opcode& op) {
  return of_type<U16, I16, U32, I32, U64, I64>(op.type(),
                                               []<class T>(T) { return lane_op3<F<T>, T, T>(); });
}

template <template <class> class F>
LaneOp word2(const Opcode& op) {
  return op.type() == Type::s32 ? lane_op2<F<I32>, I32, I32>() : lane_op2<F<U32>, U32, U32>();
}

template <template <class> class F>
LaneOp word3(const Opcode& op) {
  return op.type() == Type::s32 ? lane_op3<F<I32>, I32, I32>() : lane_op3<F<U32>, U32, U32>();
}

template <template <class> class F, class T>
LaneOp pair_of() {
  return lane_op2<Pair16<F<T>, T>, std::uint32_t, std::uint32_t>();
}

/// One value or two in a register.
template <template <class> class F>
LaneOp two_or_pair(const Opcode& op) {
  if (op.type() == Type::s16x2) return pair_of<F, std::int16_t>();
  return op.type() == Type::u16x2 ? pair_of<F, std::uint16_t>() : two<F>(op);
}

bool is_pair(const Opcode& op) {
  return op.type() == Type::s16x2 || op.type() == Type::u16x2;
}

template <template <class> class F>
LaneOp relu(const Opcode& op) {
  return is_pair(op) ? pair_of<F, std::int16_t>() : lane_op2<F<I32>, I32, I32>();
}

LaneOp wide_mul(const Opcode& op) {
  return of_type<U16, I16, U32, I32>(
      op.type(), []<class T>(T) { return lane_op2<MulWide<T>, WiderOf<T>, T>(); });
}

LaneOp wide_mad(const Opcode& op) {
  return of_type<U16, I16, U32, I32>(
      op.type(), []<class T>(T) { return lane_op3<MadWide<T>, WiderOf<T>, T, T, WiderOf<T>>(); });
}

LaneOp dp4a(const Opcode& op) {
  const auto of = []<class A, class B>(A, B) { return lane_op3<Dp4a<A, B>, U32, U32>(); };
  const bool b = op.type(1) == Type::s32;
  if (op.type(0) == Type::s32) return b ? of(I8(), I8()) : of(I8(), U8());
  return b ? of(U8(), I8()) : of(U8(), U8());
}

LaneOp dp2a(const Opcode& op) {
  const auto of = [&]<class A, class B>(A, B) {
    return op.has("hi") ? lane_op3<Dp2a<A, B, 1>, U32, U32>() : lane_op3<Dp2a<A, B, 0>, U32, U32>();
  };
  const bool b = op.type(1) == Type::s32;
  if (op.type(0) == Type::s32) return b ? of(I16(), I8()) : of(I16(), U8());
  return b ? of(U16(), I8()) : of(U16(), U8());
}

// ---- extended precision: the carry flag of each lane lives in Warp::carry

struct CarryFlags {
  static constexpr std::uint32_t kSubtract = 1;
  static constexpr std::uint32_t kCarryIn = 2;
  static constexpr std::uint32_t kCarryOut = 4;
};

template <class T>
const Inst* add_with_carry(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = warp.reg<T>(inst->b);
  const bool subtract = inst->flags & CarryFlags::kSubtract;
  const bool reads_carry = inst->flags & CarryFlags::kCarryIn;
  alignas(64) T result[kLanes] = {};
  Mask carry_out = 0;
  for_lanes(mask, [&](unsigned lane) {
    // a - b is a + ~b + 1: CC.CF is 0 where it borrows.
    const T addend = subtract ? static_cast<T>(~b[lane]) : b[lane];
    const unsigned carry_in = reads_carry ? (warp.carry >> lane) & 1 : subtract;
    const T sum = static_cast<T>(a[lane] + addend);
    result[lane] = static_cast<T>(sum + carry_in);
    carry_out |= Mask{sum < a[lane] || result[lane] < sum} << lane;
  });
  blend(warp.reg<T>(inst->dst), result, mask);
  if (inst->flags & CarryFlags::kCarryOut) warp.carry = (warp.carry & ~mask) | carry_out;
  return inst + 1;
}

template <class T, class S, bool kHigh>
const Inst* mad_with_carry(Warp& warp, const Inst* inst, Mask mask) {
  const S* a = warp.reg<S>(inst->a);
  const S* b = warp.reg<S>(inst->b);
  const T* c = warp.reg<T>(inst->c);
  alignas(64) T result[kLanes] = {};
  Mask carry_out = 0;
  for_lanes(mask, [&](unsigned lane) {
    const unsigned carry_in = inst->flags & CarryFlags::kCarryIn ? (warp.carry >> lane) & 1 : 0;
    const T product =
        static_cast<T>(kHigh ? high_mul(a[lane], b[lane]) : wrap_mul(a[lane], b[lane]));
    const T sum = static_cast<T>(product + c[lane]);
    result[lane] = static_cast<T>(sum + carry_in);
    carry_out |= Mask{sum < product || result[lane] < sum} << lane;
  });
  blend(warp.reg<T>(inst->dst), result, mask);
  if (inst->flags & CarryFlags::kCarryOut) warp.carry = (warp.carry & ~mask) | carry_out;
  return inst + 1;
}

/// addc, subc, madc and the .cc forms.
LaneOp with_carry(const Opcode& op) {
  const std::string_view name = op.name();
  const bool wide = ptx::bytes(op.type()) == 8;
  const bool is_signed = ptx::is_signed(op.type());
  const unsigned size = wide ? 8 : 4;
  LaneOp made{nullptr, size, size, size};
  if (name == "sub" || name == "subc") made.flags |= CarryFlags::kSubtract;
  if (name.ends_with("c")) made.flags |= CarryFlags::kCarryIn;
  if (op.has("cc")) made.flags |= CarryFlags::kCarryOut;
  if (!name.starts_with("mad")) {
    made.run = wide ? add_with_carry<U64> : add_with_carry<U32>;
    return made;
  }
  made.c = size;
  if (!op.has("hi")) {
    made.run = wide ? mad_with_carry<U64, U64, false> : mad_with_carry<U32, U32, false>;
  } else if (wide) {
    made.run = is_signed ? mad_with_carry<U64, I64, true> : mad_with_carry<U64, U64, true>;
  } else {
    made.run = is_signed ? mad_with_carry<U32, I32, true> : mad_with_carry<U32, U32, true>;
  }
  return made;
}

LaneOp add(const Opcode& op) {
  if (op.has("cc")) return with_carry(op);
  return op.has("sat") && !is_pair(op) ? lane_op2<AddSat, I32, I32>() : two_or_pair<Add>(op);
}

LaneOp sub(const Opcode& op) {
  if (op.has("cc")) return with_carry(op);
  return op.has("sat") ? lane_op2<SubSat, I32, I32>() : two<Sub>(op);
}

LaneOp mul(const Opcode& op) {
  if (op.has("wide")) return wide_mul(op);
  return op.has("hi") ? two<MulHi>(op) : two<MulLo>(op);
}

LaneOp mad(const Opcode& op) {
  if (op.has("cc")) return with_carry(op);
  if (op.has("wide")) return wide_mad(op);
  if (op.has("sat")) return lane_op3<MadHiSat, I32, I32>();
  return op.has("hi") ? three<MadHi>(op) : three<MadLo>(op);
}

LaneOp mul24(const Opcode& op) {
  return op.has("lo") ? word2<Mul24Lo>(op) : word2<Mul24Hi>(op);
}

LaneOp mad24(const Opcode& op) {
  if (op.has("sat")) return lane_op3<Mad24HiSat, I32, I32>();
  return op.has("lo") ? word3<Mad24Lo>(op) : word3<Mad24Hi>(op);
}

LaneOp minimum(const Opcode& op) {
  return op.has("relu") ? relu<MinRelu>(op) : two_or_pair<Min>(op);
}

LaneOp maximum(const Opcode& op) {
  return op.has("relu") ? relu<MaxRelu>(op) : two_or_pair<Max>(op);
}

}  // namespace

LaneOp integer_op(const Opcode& op) {
  static constexpr LaneMaker kMakers[] = {
#define INSTRUCTION(name, words, unit, traits, decode, integer, bits, floating, directed, half) \
  integer,
#include "grader/simulator/ptx/instruction_set.def"
  };
  return ptx::is_float(op.type()) || op.type() == Type::none ? LaneOp{} : kMakers[op.row](op);
}

}  // namespace tessera::sim
