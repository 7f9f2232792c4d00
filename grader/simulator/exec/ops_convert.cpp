// cvt (PTX ISA 9.7.9.21): every pair of types, rounding to integers and to narrower floats,
// saturation, flushed subnormals.
#include <limits>
#include <type_traits>

#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;
__extension__ using Int128 = __int128;

struct HalfBits {
  std::uint16_t bits;
};
struct Bfloat16Bits {
  std::uint16_t bits;
};

template <class T>
constexpr bool kIsHalf = std::is_same_v<T, HalfBits> || std::is_same_v<T, Bfloat16Bits>;
template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsHalf<T>;

template <class T>
struct FormatOf;
template <>
struct FormatOf<HalfBits> {
  using type = HalfFormat;
};
template <>
struct FormatOf<Bfloat16Bits> {
  using type = Bfloat16Format;
};

struct Modes {
  Rounding rounding = Rounding::nearest_even;
  bool to_integer = false;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
};

constexpr std::uint32_t kToInteger = 4, kFtz = 8, kSat = 16, kRelu = 32;

Modes modes_of(std::uint32_t flags) {
  return {static_cast<Rounding>(flags & 3), (flags & kToInteger) != 0, (flags & kFtz) != 0,
          (flags & kSat) != 0, (flags & kRelu) != 0};
}

template <class T>
T round_to_integer(T value, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return std::nearbyint(value);
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::nearest_away:
      return std::round(value);
  }
  return value;
}

/// NaN gives 0 for 32-bit sources and destinations, else the sign bit's value; the rest is clamped
/// to the range.
template <class D, class S>
D float_to_integer(S value, Rounding rounding) {
  if (value != value) {
    const bool wide = sizeof(S) == 8 || sizeof(D) == 8;
    return wide ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  }
  const S rounded = round_to_integer(value, rounding);
  const S above = std::ldexp(S{1}, static_cast<int>(8 * sizeof(D)) - (std::is_signed_v<D> ? 1 : 0));
  if (rounded >= above) return std::numeric_limits<D>::max();
  if (rounded <= (std::is_signed_v<D> ? -above : S{0})) return std::numeric_limits<D>::min();
  return static_cast<D>(rounded);
}

template <class D, class S>
D integer_to_float(S value, Rounding rounding) {
  const D nearest = static_cast<D>(value);
  if (rounding == Rounding::nearest_even) return nearest;
  const auto exact = static_cast<Int128>(value);
  const auto got = static_cast<Int128>(nearest);
  if (got == exact) return nearest;
  const bool above = got > exact;
  const bool want_down = rounding == Rounding::down || (rounding == Rounding::zero && exact > 0);
  if (above == want_down) {
    const D limit = std::numeric_limits<D>::infinity();
    return std::nextafter(nearest, above ? -limit : limit);
  }
  return nearest;
}

float double_to_float(double value, Rounding rounding) {
  const auto nearest = static_cast<float>(value);
  if (rounding == Rounding::nearest_even || value != value || static_cast<double>(nearest) == value)
    return nearest;
  const bool above = static_cast<double>(nearest) > value;
  const bool want_down = rounding == Rounding::down || (rounding == Rounding::zero && value > 0);
  if (above != want_down) return nearest;
  const float limit = std::numeric_limits<float>::infinity();
  return std::nextafter(nearest, above ? -limit : limit);
}

template <class T>
auto widened(T value) {
  if constexpr (kIsHalf<T>) {
    return widen<typename FormatOf<T>::type>(value.bits);
  } else {
    return value;
  }
}

template <class D, class S>
D float_to_float(S source, const Modes& modes) {
  auto value = widened(source);
  if (modes.ftz) value = flush(value);
  if (modes.to_integer) value = round_to_integer(value, modes.rounding);
  if (modes.sat) value = saturate01(value);
  if (modes.relu && value <= 0) value = 0;
  if constexpr (kIsHalf<D>) {
    return D{narrow<typename FormatOf<D>::type>(
        static_cast<double>(value), modes.to_integer ? Rounding::nearest_even : modes.rounding)};
  } else if constexpr (sizeof(D) < sizeof(value)) {
    const float result = double_to_float(value, modes.rounding);
    return canonical(modes.ftz ? flush(result) : result);
  } else {
    return canonical(static_cast<D>(value));
  }
}

template <class D, class S>
D integer_to_integer(S value, const Modes& modes) {
  if (modes.sat) {
    const auto wide = static_cast<Int128>(value);
    if (wide > static_cast<Int128>(std::numeric_limits<D>::max()))
      return std::numeric_limits<D>::max();
    if (wide < static_cast<Int128>(std::numeric_limits<D>::min()))
      return std::numeric_limits<D>::min();
  }
  return static_cast<D>(value);
}

template <class D, class S>
D convert_value(S value, const Modes& modes) {
  if constexpr (kIsFloat<S> && kIsFloat<D>) {
    return float_to_float<D, S>(value, modes);
  } else if constexpr (kIsFloat<S>) {
    const auto wide = widened(value);
    return float_to_integer<D>(modes.ftz ? flush(wide) : wide, modes.rounding);
  } else if constexpr (kIsHalf<D>) {
    const double wide = integer_to_float<double>(value, modes.rounding);
    return D{
        narrow<typename FormatOf<D>::type>(modes.sat ? saturate01(wide) : wide, modes.rounding)};
  } else if constexpr (kIsFloat<D>) {
    const D result = integer_to_float<D>(value, modes.rounding);
    return modes.sat ? saturate01(result) : result;
  } else {
    return integer_to_integer<D>(value, modes);
  }
}

template <class D, class S, bool kSaturate>
const Inst* integers(Warp& warp, const Inst* inst, Mask mask) {
  const S* a = warp.reg<S>(inst->a);
  write_lanes<D>(warp, inst->dst, mask, [=](unsigned lane) {
    if constexpr (kSaturate) return integer_to_integer<D>(a[lane], Modes{.sat = true});
    return static_cast<D>(a[lane]);
  });
  return inst + 1;
}

/// To a wider float, which holds every value.
const Inst* float_to_double(Warp& warp, const Inst* inst, Mask mask) {
  const float* a = warp.reg<float>(inst->a);
  write_lanes<double>(warp, inst->dst, mask, [=](unsigned lane) { return double{a[lane]}; });
  return inst + 1;
}

/// cvt.f32.f16, from a register of 16 bits to one of 32.
template <class Format>
const Inst* widen_lanes(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint16_t* a = warp.reg<std::uint16_t>(inst->a);
  write_lanes<float>(warp, inst->dst, mask, [=](unsigned lane) { return widen<Format>(a[lane]); });
  return inst + 1;
}

/// cvt.rn.f16.f32, from a register of 32 bits to one of 16.
template <class Format>
const Inst* narrow_lanes(Warp& warp, const Inst* inst, Mask mask) {
  const float* a = warp.reg<float>(inst->a);
  write_lanes<std::uint16_t>(warp, inst->dst, mask,
                             [=](unsigned lane) { return narrow<Format>(a[lane]); });
  return inst + 1;
}

/// The handler of a conversion between float and the 16-bit format that changes nothing else;
/// nullptr for other conversions.
template <class Format>
Handler plain_handler(const Opcode& op, Type narrow) {
  if (op.words.size() == 3 && op.type(0) == Type::f32 && op.type(1) == narrow)
    return widen_lanes<Format>;
  if (op.words.size() == 4 && op.has("rn") && op.type(0) == narrow && op.type(1) == Type::f32)
    return narrow_lanes<Format>;
  return nullptr;
}

/// Registers may be wider than the types: the source's low bytes count, the result is extended.
template <class D, class S>
const Inst* general(Warp& warp, const Inst* inst, Mask mask) {
  const Modes modes = modes_of(inst->flags);
  const std::byte* from = warp.reg<std::byte>(inst->a);
  std::byte* to = warp.reg<std::byte>(inst->dst);
  const unsigned from_stride = inst->size;
  const unsigned to_stride = inst->count;
  for_lanes(mask, [&](unsigned lane) {
    S value;
    std::memcpy(&value, from + lane * from_stride, sizeof value);
    const D result = convert_value<D, S>(value, modes);
    std::uint64_t raw = 0;
    if constexpr (std::is_integral_v<D> && std::is_signed_v<D>) {
      raw = static_cast<std::uint64_t>(static_cast<std::int64_t>(result));
    } else {
      std::memcpy(&raw, &result, sizeof result);
    }
    std::memcpy(to + lane * to_stride, &raw, to_stride);
  });
  return inst + 1;
}

template <class D, class S>
Handler pick(const Opcode& op, unsigned dst_bytes, unsigned src_bytes) {
  if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
    if (dst_bytes == sizeof(D) && src_bytes == sizeof(S)) {
      return op.has("sat") ? integers<D, S, true> : integers<D, S, false>;
    }
  }
  return general<D, S>;
}

/// `make` of the value of one element of that type.
template <class Make>
Handler of_element(Type type, Make make) {
  if (type == Type::f16) return make(HalfBits());
  if (type == Type::bf16) return make(Bfloat16Bits());
  return of_type<U8, I8, U16, I16, U32, I32, U64, I64, float, double>(as_unsigned(type), make);
}

/// cvt.rn.f16x2.f32 d, a, b: a goes to the upper half.
template <class Format>
const Inst* pack(Warp& warp, const Inst* inst, Mask mask) {
  const Modes modes = modes_of(inst->flags);
  const float* a = warp.reg<float>(inst->a);
  const float* b = warp.reg<float>(inst->b);
  write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned lane) {
    const auto half = [&](float value) {
      if (modes.relu && value <= 0) value = 0;
      if (modes.sat) value = saturate01(value);
      return std::uint32_t{narrow<Format>(static_cast<double>(value), modes.rounding)};
    };
    return half(a[lane]) << 16 | half(b[lane]);
  });
  return inst + 1;
}

/// cvt.rna.tf32.f32: 10 bits of significand, halves away from zero.
const Inst* to_tf32(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint32_t* a = warp.reg<std::uint32_t>(inst->a);
  write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned lane) {
    const std::uint32_t bits = a[lane];
    if ((bits & 0x7f800000u) == 0x7f800000u) return bits;
    return (bits + 0x1000u) & 0xffffe000u;
  });
  return inst + 1;
}

}  // namespace

std::uint32_t convert_flags(const Opcode& op) {
  std::uint32_t flags = 0;
  const bool integer_source = !ptx::is_float(op.type(1));
  const bool integer_target = !ptx::is_float(op.type(0));
  for (const std::string& word : op.words) {
    if (word == "rn" || word == "rni") flags |= static_cast<std::uint32_t>(Rounding::nearest_even);
    if (word == "rz" || word == "rzi") flags |= static_cast<std::uint32_t>(Rounding::zero);
    if (word == "rm" || word == "rmi") flags |= static_cast<std::uint32_t>(Rounding::down);
    if (word == "rp" || word == "rpi") flags |= static_cast<std::uint32_t>(Rounding::up);
    if (word.size() == 3 && word[0] == 'r' && word[2] == 'i') flags |= kToInteger;
  }
  if (op.has("ftz")) flags |= kFtz;
  if (op.has("sat")) flags |= kSat;
  if (op.has("relu")) flags |= kRelu;
  if (!integer_source && integer_target) flags |= kToInteger;
  return flags;
}

Handler convert_handler(const Opcode& op, unsigned dst_bytes, unsigned src_bytes) {
  if (op.has("tf32")) return to_tf32;
  if (op.type(0) == Type::f16x2) return pack<HalfFormat>;
  if (op.type(0) == Type::bf16x2) return pack<Bfloat16Format>;
  const bool plain = op.words.size() == 3;  // cvt and its types
  if (plain && op.type(0) == Type::f64 && op.type(1) == Type::f32) return float_to_double;
  if (dst_bytes == ptx::bytes(op.type(0)) && src_bytes == ptx::bytes(op.type(1))) {
    for (const Handler handler : {plain_handler<HalfFormat>(op, Type::f16),
                                  plain_handler<Bfloat16Format>(op, Type::bf16)}) {
      if (handler != nullptr) return handler;
    }
  }
  return of_element(op.type(0), [&]<class D>(D) {
    return of_element(op.type(1), [&]<class S>(S) { return pick<D, S>(op, dst_bytes, src_bytes); });
  });
}

}  // namespace tessera::sim
