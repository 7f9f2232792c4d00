// Half-precision arithmetic, one or two values a register (PTX ISA 9.7.4). Every operation is done
// wider and rounded once.
#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

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

struct Add : CountedArithmetic {
  static double apply(float a, float b) { return static_cast<double>(a) + b; }
};
struct Sub : CountedArithmetic {
  static double apply(float a, float b) { return static_cast<double>(a) - b; }
};
struct Mul : CountedArithmetic {
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
struct Fma : CountedArithmetic {
  static double apply(float a, float b, float c) { return fma_to_odd(a, b, c); }
};
struct FmaRelu : CountedArithmetic {
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
struct Scalar : F {
  static constexpr U16 kExponent = 0x7fff & ~((1 << Format::kFractionBits) - 1);

  static float input(U16 bits) {
    const float value = widen<Format>(bits);
    return kFtz && (bits & kExponent) == 0 ? std::copysign(0.0f, value) : value;
  }
  template <class... T>
  static U16 apply(T... bits) {
    double value = F::apply(input(bits)...);
    if (kSat) value = saturate01(value);
    const U16 result = narrow<Format>(value);
    if (kFtz && (result & kExponent) == 0) return result & 0x8000;
    return result;
  }
};

template <class S>
struct Pair : S {
  static U32 join(U16 low, U16 high) { return U32{high} << 16 | low; }
  template <class... T>
  static U32 apply(T... bits) {
    return join(S::apply(static_cast<U16>(bits)...), S::apply(static_cast<U16>(bits >> 16)...));
  }
};

template <class Format>
struct Abs {
  static U16 apply(U16 a) {
    const float value = widen<Format>(a);
    return value != value ? Format::kNan : static_cast<U16>(a & 0x7fff);
  }
};
template <class Format>
struct Neg {
  static U16 apply(U16 a) {
    const float value = widen<Format>(a);
    return value != value ? Format::kNan : static_cast<U16>(a ^ 0x8000);
  }
};

bool is_pair(const Opcode& op) {
  return op.type() == Type::f16x2 || op.type() == Type::bf16x2;
}

/// What `make` makes of F in the instruction's format.
template <class F, bool kFtz, bool kSat, class Make>
LaneOp in_format(const Opcode& op, Make make) {
  return op.type() == Type::f16 || op.type() == Type::f16x2
             ? make(Scalar<F, HalfFormat, kFtz, kSat>())
             : make(Scalar<F, Bfloat16Format, kFtz, kSat>());
}

template <class F, class Make>
LaneOp with_modifiers(const Opcode& op, Make make) {
  if (op.has("ftz"))
    return op.has("sat") ? in_format<F, true, true>(op, make) : in_format<F, true, false>(op, make);
  return op.has("sat") ? in_format<F, false, true>(op, make) : in_format<F, false, false>(op, make);
}

template <class S>
LaneOp lane_or_pair(const Opcode& op) {
  return is_pair(op) ? lane_op1<Pair<S>, U32, U32>() : lane_op1<S, U16, U16>();
}

template <class F>
LaneOp one(const Opcode& op) {
  return with_modifiers<F>(op, [&]<class S>(S) { return lane_or_pair<S>(op); });
}

template <class F>
LaneOp two(const Opcode& op) {
  return with_modifiers<F>(op, [&]<class S>(S) {
    return is_pair(op) ? lane_op2<Pair<S>, U32, U32>() : lane_op2<S, U16, U16>();
  });
}

template <class F>
LaneOp three(const Opcode& op) {
  return with_modifiers<F>(op, [&]<class S>(S) {
    return is_pair(op) ? lane_op3<Pair<S>, U32, U32>() : lane_op3<S, U16, U16>();
  });
}

template <template <class> class F>
LaneOp sign(const Opcode& op) {
  if (op.has("ftz")) return {};
  return op.type() == Type::f16 || op.type() == Type::f16x2 ? lane_or_pair<F<HalfFormat>>(op)
                                                            : lane_or_pair<F<Bfloat16Format>>(op);
}

LaneOp minimum(const Opcode& op) {
  if (op.has("xorsign")) return {};
  return op.has("NaN") ? two<MinNan>(op) : two<Min>(op);
}
LaneOp maximum(const Opcode& op) {
  if (op.has("xorsign")) return {};
  return op.has("NaN") ? two<MaxNan>(op) : two<Max>(op);
}
LaneOp fma(const Opcode& op) {
  return op.has("relu") ? three<FmaRelu>(op) : three<Fma>(op);
}

}  // namespace

LaneOp half_op(const Opcode& op) {
  static constexpr LaneMaker kMakers[] = {
#define INSTRUCTION(name, words, unit, traits, decode, integer, bits, floating, directed, half) \
  half,
#include "grader/simulator/ptx/instruction_set.def"
  };
  const bool is_half = is_pair(op) || op.type() == Type::f16 || op.type() == Type::bf16;
  return is_half ? kMakers[op.row](op) : LaneOp{};
}

}  // namespace tessera::sim
