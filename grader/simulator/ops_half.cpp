// Half-precision arithmetic, one or two values a register (PTX ISA 9.7.4). Every operation is done
// wider and rounded once.
#include "grader/simulator/ieee.h"
#include "grader/simulator/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

/// a * b + c with the sum rounded to odd, so that rounding it again to 11 bits or fewer is right.
double fma_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * b;  // exact
  const double sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double rest_of_c = sum - product;
  const double error = (product - (sum - rest_of_c)) + (c - rest_of_c);
  if (error == 0 || (std::bit_cast<std::uint64_t>(sum) & 1)) return sum;
  return std::nextafter(sum, error > 0 ? std::numeric_limits<double>::infinity()
                                       : -std::numeric_limits<double>::infinity());
}

struct Add {
  static double apply(float a, float b) { return static_cast<double>(a) + b; }
};
struct Sub {
  static double apply(float a, float b) { return static_cast<double>(a) - b; }
};
struct Mul {
  static double apply(float a, float b) { return static_cast<double>(a) * b; }
};
struct Min {
  static double apply(float a, float b) { return number_min(a, b); }
};
struct Max {
  static double apply(float a, float b) { return number_max(a, b); }
};
struct MinNan {
  static double apply(float a, float b) { return a != a ? a : b != b ? b : number_min(a, b); }
};
struct MaxNan {
  static double apply(float a, float b) { return a != a ? a : b != b ? b : number_max(a, b); }
};
struct Fma {
  static double apply(float a, float b, float c) { return fma_to_odd(a, b, c); }
};
struct FmaRelu {
  static double apply(float a, float b, float c) {
    const double value = fma_to_odd(a, b, c);
    return value > 0 || value != value ? value : 0.0;
  }
};
struct Ex2 {
  static double apply(float a) { return std::exp2(static_cast<double>(a)); }
};
struct Tanh {
  static double apply(float a) { return std::tanh(static_cast<double>(a)); }
};

template <class F, class Format, bool kFtz, bool kSat>
struct Scalar {
  static float input(U16 bits) {
    const float value = widen<Format>(bits);
    return kFtz && std::fabs(value) < 0x1p-14f ? std::copysign(0.0f, value) : value;
  }
  template <class... T>
  static U16 apply(T... bits) {
    double value = F::apply(input(bits)...);
    if (kSat) value = saturate01(value);
    const U16 result = narrow<Format>(value);
    if (kFtz && (result & 0x7c00) == 0) return result & 0x8000;
    return result;
  }
};

template <class S>
struct Pair {
  static U32 join(U16 low, U16 high) { return U32{high} << 16 | low; }
  template <class... T>
  static U32 apply(T... bits) {
    return join(S::apply(static_cast<U16>(bits)...), S::apply(static_cast<U16>(bits >> 16)...));
  }
};

template <class Format, U16 kXor, U16 kAnd>
struct SignScalar {
  static U16 apply(U16 a) { return static_cast<U16>((a & kAnd) ^ kXor); }
};

template <class S>
LaneOp make1(bool pair) {
  return pair ? lane_op1<Pair<S>, U32, U32>() : lane_op1<S, U16, U16>();
}
template <class S>
LaneOp make2(bool pair) {
  return pair ? lane_op2<Pair<S>, U32, U32>() : lane_op2<S, U16, U16>();
}
template <class S>
LaneOp make3(bool pair) {
  return pair ? lane_op3<Pair<S>, U32, U32>() : lane_op3<S, U16, U16>();
}

template <class F, class Format>
LaneOp with2(const Opcode& op, bool pair) {
  if (op.has("ftz"))
    return op.has("sat") ? make2<Scalar<F, Format, true, true>>(pair)
                         : make2<Scalar<F, Format, true, false>>(pair);
  return op.has("sat") ? make2<Scalar<F, Format, false, true>>(pair)
                       : make2<Scalar<F, Format, false, false>>(pair);
}

template <class F, class Format>
LaneOp with3(const Opcode& op, bool pair) {
  if (op.has("ftz"))
    return op.has("sat") ? make3<Scalar<F, Format, true, true>>(pair)
                         : make3<Scalar<F, Format, true, false>>(pair);
  return op.has("sat") ? make3<Scalar<F, Format, false, true>>(pair)
                       : make3<Scalar<F, Format, false, false>>(pair);
}

template <class Format>
LaneOp in_format(const Opcode& op, bool pair) {
  const std::string_view name = op.name();
  if (name == "add") return with2<Add, Format>(op, pair);
  if (name == "sub") return with2<Sub, Format>(op, pair);
  if (name == "mul") return with2<Mul, Format>(op, pair);
  if (name == "min")
    return op.has("NaN") ? with2<MinNan, Format>(op, pair) : with2<Min, Format>(op, pair);
  if (name == "max")
    return op.has("NaN") ? with2<MaxNan, Format>(op, pair) : with2<Max, Format>(op, pair);
  if (name == "fma")
    return op.has("relu") ? with3<FmaRelu, Format>(op, pair) : with3<Fma, Format>(op, pair);
  if (name == "neg") return make1<SignScalar<Format, 0x8000, 0xffff>>(pair);
  if (name == "abs") return make1<SignScalar<Format, 0, 0x7fff>>(pair);
  if (name == "ex2") return make1<Scalar<Ex2, Format, false, false>>(pair);
  if (name == "tanh") return make1<Scalar<Tanh, Format, false, false>>(pair);
  return {};
}

}  // namespace

LaneOp half_op(const Opcode& op) {
  switch (op.type()) {
    case Type::f16:
      return in_format<HalfFormat>(op, false);
    case Type::f16x2:
      return in_format<HalfFormat>(op, true);
    case Type::bf16:
      return in_format<Bfloat16Format>(op, false);
    case Type::bf16x2:
      return in_format<Bfloat16Format>(op, true);
    default:
      return {};
  }
}

}  // namespace tessera::sim
