// Integer arithmetic (PTX ISA 9.7.1, 9.7.2). Results wrap; signed work is done on unsigned values
// where C++ would not.
#include <limits>
#include <type_traits>

#include "grader/simulator/opcode.h"

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
    if (b == 0) return a;
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

template <template <class> class F>
LaneOp any2(Type type) {
  switch (type) {
    case Type::u16:
    case Type::b16:
      return lane_op2<F<std::uint16_t>, std::uint16_t, std::uint16_t>();
    case Type::s16:
      return lane_op2<F<std::int16_t>, std::int16_t, std::int16_t>();
    case Type::u32:
    case Type::b32:
      return lane_op2<F<std::uint32_t>, std::uint32_t, std::uint32_t>();
    case Type::s32:
      return lane_op2<F<std::int32_t>, std::int32_t, std::int32_t>();
    case Type::u64:
    case Type::b64:
      return lane_op2<F<std::uint64_t>, std::uint64_t, std::uint64_t>();
    case Type::s64:
      return lane_op2<F<std::int64_t>, std::int64_t, std::int64_t>();
    default:
      return {};
  }
}

template <template <class> class F>
LaneOp any3(Type type) {
  switch (type) {
    case Type::u16:
      return lane_op3<F<std::uint16_t>, std::uint16_t, std::uint16_t>();
    case Type::s16:
      return lane_op3<F<std::int16_t>, std::int16_t, std::int16_t>();
    case Type::u32:
      return lane_op3<F<std::uint32_t>, std::uint32_t, std::uint32_t>();
    case Type::s32:
      return lane_op3<F<std::int32_t>, std::int32_t, std::int32_t>();
    case Type::u64:
      return lane_op3<F<std::uint64_t>, std::uint64_t, std::uint64_t>();
    case Type::s64:
      return lane_op3<F<std::int64_t>, std::int64_t, std::int64_t>();
    default:
      return {};
  }
}

template <template <class> class F>
LaneOp signed1(Type type) {
  switch (type) {
    case Type::s16:
      return lane_op1<F<std::int16_t>, std::int16_t, std::int16_t>();
    case Type::s32:
      return lane_op1<F<std::int32_t>, std::int32_t, std::int32_t>();
    case Type::s64:
      return lane_op1<F<std::int64_t>, std::int64_t, std::int64_t>();
    default:
      return {};
  }
}

template <template <class> class Lo, template <class> class Hi>
LaneOp word32_op2(const Opcode& op) {
  const bool is_signed = op.type() == Type::s32;
  if (op.has("lo"))
    return is_signed ? lane_op2<Lo<std::int32_t>, std::int32_t, std::int32_t>()
                     : lane_op2<Lo<std::uint32_t>, std::uint32_t, std::uint32_t>();
  return is_signed ? lane_op2<Hi<std::int32_t>, std::int32_t, std::int32_t>()
                   : lane_op2<Hi<std::uint32_t>, std::uint32_t, std::uint32_t>();
}

template <template <class> class Lo, template <class> class Hi>
LaneOp word32_op3(const Opcode& op) {
  const bool is_signed = op.type() == Type::s32;
  if (op.has("lo"))
    return is_signed ? lane_op3<Lo<std::int32_t>, std::int32_t, std::int32_t>()
                     : lane_op3<Lo<std::uint32_t>, std::uint32_t, std::uint32_t>();
  return is_signed ? lane_op3<Hi<std::int32_t>, std::int32_t, std::int32_t>()
                   : lane_op3<Hi<std::uint32_t>, std::uint32_t, std::uint32_t>();
}

template <template <class> class F, class T>
LaneOp pair_of() {
  return lane_op2<Pair16<F<T>, T>, std::uint32_t, std::uint32_t>();
}

template <template <class> class F>
LaneOp pair_op(Type type) {
  return type == Type::s16x2 ? pair_of<F, std::int16_t>() : pair_of<F, std::uint16_t>();
}

LaneOp pairs(const Opcode& op) {
  const std::string_view name = op.name();
  if (name == "add") return pair_op<Add>(op.type());
  if (name == "min")
    return op.has("relu") ? pair_of<MinRelu, std::int16_t>() : pair_op<Min>(op.type());
  if (name == "max")
    return op.has("relu") ? pair_of<MaxRelu, std::int16_t>() : pair_op<Max>(op.type());
  return {};
}

template <class T>
LaneOp mul_wide_op() {
  return lane_op2<MulWide<T>, WiderOf<T>, T>();
}

template <class T>
LaneOp mad_wide_op() {
  return lane_op3<MadWide<T>, WiderOf<T>, T, T, WiderOf<T>>();
}

LaneOp wide(const Opcode& op, bool mad) {
  switch (op.type()) {
    case Type::u16:
      return mad ? mad_wide_op<std::uint16_t>() : mul_wide_op<std::uint16_t>();
    case Type::s16:
      return mad ? mad_wide_op<std::int16_t>() : mul_wide_op<std::int16_t>();
    case Type::u32:
      return mad ? mad_wide_op<std::uint32_t>() : mul_wide_op<std::uint32_t>();
    case Type::s32:
      return mad ? mad_wide_op<std::int32_t>() : mul_wide_op<std::int32_t>();
    default:
      return {};
  }
}

template <class A, class B>
LaneOp dot_product(const Opcode& op) {
  using U = std::uint32_t;
  if (op.name() == "dp4a") {
    return lane_op3<Dp4a<std::conditional_t<A::value, std::int8_t, std::uint8_t>,
                         std::conditional_t<B::value, std::int8_t, std::uint8_t>>,
                    U, U>();
  }
  using Half = std::conditional_t<A::value, std::int16_t, std::uint16_t>;
  using Byte = std::conditional_t<B::value, std::int8_t, std::uint8_t>;
  return op.has("hi") ? lane_op3<Dp2a<Half, Byte, 1>, U, U>()
                      : lane_op3<Dp2a<Half, Byte, 0>, U, U>();
}

LaneOp dot_product(const Opcode& op) {
  const bool a = op.type(0) == Type::s32;
  const bool b = op.type(1) == Type::s32;
  if (a)
    return b ? dot_product<std::true_type, std::true_type>(op)
             : dot_product<std::true_type, std::false_type>(op);
  return b ? dot_product<std::false_type, std::true_type>(op)
           : dot_product<std::false_type, std::false_type>(op);
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
  alignas(64) T result[kLanes] = {};
  Mask carry_out = 0;
  for_lanes(mask, [&](unsigned lane) {
    const unsigned carry_in = inst->flags & CarryFlags::kCarryIn ? (warp.carry >> lane) & 1 : 0;
    if (subtract) {  // CC.CF is the borrow
      result[lane] = static_cast<T>(a[lane] - b[lane] - carry_in);
      carry_out |= Mask{a[lane] < b[lane] || (carry_in && a[lane] == b[lane])} << lane;
    } else {
      const T sum = static_cast<T>(a[lane] + b[lane]);
      result[lane] = static_cast<T>(sum + carry_in);
      carry_out |= Mask{sum < a[lane] || result[lane] < sum} << lane;
    }
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

LaneOp carry_op(const Opcode& op) {
  const bool wide = ptx::bytes(op.type()) == 8;
  const bool is_signed = ptx::is_signed(op.type());
  if (op.name() == "mad" || op.name() == "madc") {
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    const bool high = op.has("hi");
    Handler run = nullptr;
    if (wide) {
      run = !high ? mad_with_carry<U64, U64, false>
                  : (is_signed ? mad_with_carry<U64, std::int64_t, true>
                               : mad_with_carry<U64, U64, true>);
    } else {
      run = !high ? mad_with_carry<U32, U32, false>
                  : (is_signed ? mad_with_carry<U32, std::int32_t, true>
                               : mad_with_carry<U32, U32, true>);
    }
    const unsigned size = wide ? 8 : 4;
    return {run, size, size, size, size};
  }
  const unsigned size = wide ? 8 : 4;
  return {wide ? add_with_carry<std::uint64_t> : add_with_carry<std::uint32_t>, size, size, size};
}

}  // namespace

std::uint32_t carry_flags(const Opcode& op) {
  const std::string_view name = op.name();
  std::uint32_t flags = 0;
  if (name == "sub" || name == "subc") flags |= CarryFlags::kSubtract;
  if (name == "addc" || name == "subc" || name == "madc") flags |= CarryFlags::kCarryIn;
  if (op.has("cc")) flags |= CarryFlags::kCarryOut;
  return flags;
}

LaneOp integer_op(const Opcode& op) {
  const std::string_view name = op.name();
  const Type type = op.type();
  if (name == "dp4a" || name == "dp2a") return dot_product(op);
  if (ptx::is_float(type) || type == Type::none || type == Type::pred) return {};
  if (carry_flags(op) & ~CarryFlags::kSubtract) return carry_op(op);
  if (type == Type::u16x2 || type == Type::s16x2) return pairs(op);
  using I32 = std::int32_t;
  if (name == "add") return op.has("sat") ? lane_op2<AddSat, I32, I32>() : any2<Add>(type);
  if (name == "sub") return op.has("sat") ? lane_op2<SubSat, I32, I32>() : any2<Sub>(type);
  if (name == "mul") {
    if (op.has("wide")) return wide(op, false);
    return op.has("hi") ? any2<MulHi>(type) : any2<MulLo>(type);
  }
  if (name == "mad") {
    if (op.has("wide")) return wide(op, true);
    if (op.has("sat")) return lane_op3<MadHiSat, I32, I32>();
    return op.has("hi") ? any3<MadHi>(type) : any3<MadLo>(type);
  }
  if (name == "mul24") return word32_op2<Mul24Lo, Mul24Hi>(op);
  if (name == "mad24")
    return op.has("sat") ? lane_op3<Mad24HiSat, I32, I32>() : word32_op3<Mad24Lo, Mad24Hi>(op);
  if (name == "sad") return any3<Sad>(type);
  if (name == "div") return any2<Div>(type);
  if (name == "rem") return any2<Rem>(type);
  if (name == "abs") return signed1<Abs>(type);
  if (name == "neg") return signed1<Neg>(type);
  if (name == "min") return op.has("relu") ? lane_op2<MinRelu<I32>, I32, I32>() : any2<Min>(type);
  if (name == "max") return op.has("relu") ? lane_op2<MaxRelu<I32>, I32, I32>() : any2<Max>(type);
  return {};
}

}  // namespace tessera::sim
