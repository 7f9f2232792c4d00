// Floating-point arithmetic to nearest, and the approximate functions (PTX ISA 9.7.3).
#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

constexpr double kPi = 3.14159265358979323846;

template <class T>
struct Add : CountedArithmetic {
  static T apply(T a, T b) { return a + b; }
};
template <class T>
struct Sub : CountedArithmetic {
  static T apply(T a, T b) { return a - b; }
};
template <class T>
struct Mul : CountedArithmetic {
  static T apply(T a, T b) { return a * b; }
};
template <class T>
struct Div {
  static T apply(T a, T b) { return a / b; }
};
template <class T>
struct Fma : CountedArithmetic {
  static T apply(T a, T b, T c) { return std::fma(a, b, c); }
};
template <class T>
struct Min {
  static T apply(T a, T b) { return number_min(a, b); }
};
template <class T>
struct Max {
  static T apply(T a, T b) { return number_max(a, b); }
};
template <class T>
struct MinNan {
  static T apply(T a, T b) { return a != a ? a : b != b ? b : number_min(a, b); }
};
template <class T>
struct MaxNan {
  static T apply(T a, T b) { return a != a ? a : b != b ? b : number_max(a, b); }
};
template <class T>
struct MinXorsignAbs {
  static T apply(T a, T b) {
    const T result = number_min(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -result : result;
  }
};
template <class T>
struct MaxXorsignAbs {
  static T apply(T a, T b) {
    const T result = number_max(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -result : result;
  }
};
template <class T>
struct Rcp {
  static T apply(T a) { return T{1} / a; }
};
template <class T>
struct Sqrt {
  static T apply(T a) { return std::sqrt(a); }
};
template <class T>
struct Abs {
  static T apply(T a) { return std::fabs(a); }
};
template <class T>
struct Neg {
  static T apply(T a) { return -a; }
};

// The approximate functions are computed in double and rounded once, which is within every
// documented bound.
template <class T>
struct Rsqrt {
  static T apply(T a) { return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a))); }
};
struct Sin {
  static float apply(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cos {
  static float apply(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct Lg2 {
  static float apply(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Ex2 {
  static float apply(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Tanh {
  static float apply(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits alone, and flush
/// subnormals.
struct UpperHalf {
  static double take(double value) {
    if (value != value) return std::bit_cast<double>(0x7fffffff00000000ull);
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & 0xffffffff00000000ull;
    if ((bits & 0x7ff0000000000000ull) == 0) bits &= 0x8000000000000000ull;
    return std::bit_cast<double>(bits);
  }
};
struct RcpF64Approx {
  static double apply(double a) { return UpperHalf::take(1.0 / UpperHalf::take(a)); }
};
struct RsqrtF64Approx {
  static double apply(double a) { return UpperHalf::take(1.0 / std::sqrt(UpperHalf::take(a))); }
};

/// div.approx: a times the reciprocal, which is 0 for a divisor beyond 2^126.
struct DivApprox {
  static float apply(float a, float b) {
    if (std::fabs(b) > 0x1p126f && std::isfinite(b)) return a * std::copysign(0.0f, b);
    return a / b;
  }
};

template <class T>
struct Copysign {  // copysign.f32 d, a, b: the sign of a on the magnitude of b
  static T apply(T a, T b) { return std::copysign(b, a); }
};

template <class F, bool kFtz, bool kSat>
struct Finish : F {
  template <class... T>
  static auto apply(T... values) {
    auto result = kFtz ? F::apply(flush(values)...) : F::apply(values...);
    if constexpr (kFtz) result = flush(result);
    if constexpr (kSat) result = saturate01(result);
    return canonical(result);
  }
};

/// What `make` makes of F, which rounds and flushes as the instruction says.
template <class F, class Make>
LaneOp finished(const Opcode& op, Make make) {
  if (op.has("ftz"))
    return op.has("sat") ? make(Finish<F, true, true>()) : make(Finish<F, true, false>());
  return op.has("sat") ? make(Finish<F, false, true>()) : make(Finish<F, false, false>());
}

/// f32 alone.
template <class F>
LaneOp single(const Opcode& op) {
  return finished<F>(op, []<class S>(S) { return lane_op1<S, float, float>(); });
}

template <template <class> class F>
LaneOp one(const Opcode& op) {
  return op.type() == Type::f32 ? single<F<float>>(op)
                                : lane_op1<Finish<F<double>, false, false>, double, double>();
}

template <class F>
LaneOp single2(const Opcode& op) {
  return finished<F>(op, []<class S>(S) { return lane_op2<S, float, float>(); });
}

template <template <class> class F>
LaneOp two(const Opcode& op) {
  return op.type() == Type::f32 ? single2<F<float>>(op)
                                : lane_op2<Finish<F<double>, false, false>, double, double>();
}

template <class T>
struct Bits;
template <>
struct Bits<float> {
  using type = std::uint32_t;
};
template <>
struct Bits<double> {
  using type = std::uint64_t;
};

/// mov-like sign operations act on the bits, so that a NaN keeps its payload in f64.
template <class T, bool kClear>
struct SignBit {
  static T apply(T a) {
    using U = typename Bits<T>::type;
    constexpr U kSign = U{1} << (8 * sizeof(T) - 1);
    const U bits = std::bit_cast<U>(a);
    return std::bit_cast<T>(kClear ? static_cast<U>(bits & ~kSign) : static_cast<U>(bits ^ kSign));
  }
};

LaneOp absolute(const Opcode& op) {
  if (op.type() == Type::f64) return lane_op1<SignBit<double, true>, double, double>();
  return op.has("ftz") ? single<Abs<float>>(op) : lane_op1<SignBit<float, true>, float, float>();
}

LaneOp negate(const Opcode& op) {
  if (op.type() == Type::f64) return lane_op1<SignBit<double, false>, double, double>();
  return op.has("ftz") ? single<Neg<float>>(op) : lane_op1<SignBit<float, false>, float, float>();
}

LaneOp rcp(const Opcode& op) {
  return op.type() == Type::f64 && op.has("approx") ? lane_op1<RcpF64Approx, double, double>()
                                                    : one<Rcp>(op);
}

LaneOp rsqrt(const Opcode& op) {
  if (op.type() == Type::f32) return single<Rsqrt<float>>(op);
  return op.has("ftz") ? lane_op1<RsqrtF64Approx, double, double>()
                       : lane_op1<Rsqrt<double>, double, double>();
}

LaneOp divide(const Opcode& op) {
  return op.has("approx") ? single2<DivApprox>(op) : two<Div>(op);
}

LaneOp fma(const Opcode& op) {
  if (op.type() == Type::f64) return lane_op3<Fma<double>, double, double>();
  return finished<Fma<float>>(op, []<class S>(S) { return lane_op3<S, float, float>(); });
}

LaneOp copysign(const Opcode& op) {
  return op.type() == Type::f32 ? lane_op2<Copysign<float>, float, float>()
                                : lane_op2<Copysign<double>, double, double>();
}

LaneOp minimum(const Opcode& op) {
  if (op.has("xorsign")) return op.has("NaN") ? LaneOp{} : two<MinXorsignAbs>(op);
  return op.has("NaN") ? two<MinNan>(op) : two<Min>(op);
}

LaneOp maximum(const Opcode& op) {
  if (op.has("xorsign")) return op.has("NaN") ? LaneOp{} : two<MaxXorsignAbs>(op);
  return op.has("NaN") ? two<MaxNan>(op) : two<Max>(op);
}

}  // namespace

LaneOp float_op(const Opcode& op) {
  static constexpr LaneMaker kMakers[] = {
#define INSTRUCTION(name, words, unit, traits, decode, integer, bits, floating, directed, half) \
  floating,
#include "grader/simulator/ptx/instruction_set.def"
  };
  if (op.type() != Type::f32 && op.type() != Type::f64) return {};
  if (op.has("rz") || op.has("rm") || op.has("rp")) return directed_op(op);
  return kMakers[op.row](op);
}

}  // namespace tessera::sim
