// Floating-point arithmetic to nearest, and the approximate functions (PTX ISA 9.7.3).
#include "grader/simulator/ieee.h"
#include "grader/simulator/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

constexpr double kPi = 3.14159265358979323846;

template <class T>
struct Add {
  static T apply(T a, T b) { return a + b; }
};
template <class T>
struct Sub {
  static T apply(T a, T b) { return a - b; }
};
template <class T>
struct Mul {
  static T apply(T a, T b) { return a * b; }
};
template <class T>
struct Div {
  static T apply(T a, T b) { return a / b; }
};
template <class T>
struct Fma {
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
struct Finish {
  template <class... T>
  static auto apply(T... values) {
    auto result = kFtz ? F::apply(flush(values)...) : F::apply(values...);
    if constexpr (kFtz) result = flush(result);
    if constexpr (kSat) result = saturate01(result);
    return canonical(result);
  }
};

/// abs and neg keep payloads out too, but never round.
template <class F>
LaneOp f32_1(const Opcode& op) {
  if (op.has("ftz")) {
    return op.has("sat") ? lane_op1<Finish<F, true, true>, float, float>()
                         : lane_op1<Finish<F, true, false>, float, float>();
  }
  return op.has("sat") ? lane_op1<Finish<F, false, true>, float, float>()
                       : lane_op1<Finish<F, false, false>, float, float>();
}

template <class F>
LaneOp f32_2(const Opcode& op) {
  if (op.has("ftz")) {
    return op.has("sat") ? lane_op2<Finish<F, true, true>, float, float>()
                         : lane_op2<Finish<F, true, false>, float, float>();
  }
  return op.has("sat") ? lane_op2<Finish<F, false, true>, float, float>()
                       : lane_op2<Finish<F, false, false>, float, float>();
}

template <class F>
LaneOp f32_3(const Opcode& op) {
  if (op.has("ftz")) {
    return op.has("sat") ? lane_op3<Finish<F, true, true>, float, float>()
                         : lane_op3<Finish<F, true, false>, float, float>();
  }
  return op.has("sat") ? lane_op3<Finish<F, false, true>, float, float>()
                       : lane_op3<Finish<F, false, false>, float, float>();
}

template <template <class> class F>
LaneOp any1(const Opcode& op) {
  return op.type() == Type::f32 ? f32_1<F<float>>(op)
                                : lane_op1<Finish<F<double>, false, false>, double, double>();
}

template <template <class> class F>
LaneOp any2(const Opcode& op) {
  return op.type() == Type::f32 ? f32_2<F<float>>(op)
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

LaneOp unary(const Opcode& op) {
  const std::string_view name = op.name();
  const bool wide = op.type() == Type::f64;
  if (name == "abs")
    return wide            ? lane_op1<SignBit<double, true>, double, double>()
           : op.has("ftz") ? f32_1<Abs<float>>(op)
                           : lane_op1<SignBit<float, true>, float, float>();
  if (name == "neg")
    return wide            ? lane_op1<SignBit<double, false>, double, double>()
           : op.has("ftz") ? f32_1<Neg<float>>(op)
                           : lane_op1<SignBit<float, false>, float, float>();
  if (name == "rcp")
    return wide && op.has("approx") ? lane_op1<RcpF64Approx, double, double>() : any1<Rcp>(op);
  if (name == "sqrt") return any1<Sqrt>(op);
  if (name == "rsqrt") {
    if (!wide) return f32_1<Rsqrt<float>>(op);
    return op.has("ftz") ? lane_op1<RsqrtF64Approx, double, double>()
                         : lane_op1<Rsqrt<double>, double, double>();
  }
  if (name == "sin") return f32_1<Sin>(op);
  if (name == "cos") return f32_1<Cos>(op);
  if (name == "lg2") return f32_1<Lg2>(op);
  if (name == "ex2") return f32_1<Ex2>(op);
  if (name == "tanh") return f32_1<Tanh>(op);
  return {};
}

LaneOp minimum_maximum(const Opcode& op, bool minimum) {
  if (op.has("xorsign")) return minimum ? any2<MinXorsignAbs>(op) : any2<MaxXorsignAbs>(op);
  if (op.has("NaN")) return minimum ? any2<MinNan>(op) : any2<MaxNan>(op);
  return minimum ? any2<Min>(op) : any2<Max>(op);
}

}  // namespace

LaneOp float_op(const Opcode& op) {
  if (op.type() != Type::f32 && op.type() != Type::f64) return {};
  const std::string_view name = op.name();
  if (op.has("rz") || op.has("rm") || op.has("rp")) return directed_op(op);
  if (name == "add") return any2<Add>(op);
  if (name == "sub") return any2<Sub>(op);
  if (name == "mul") return any2<Mul>(op);
  if (name == "fma" || name == "mad") {
    return op.type() == Type::f32 ? f32_3<Fma<float>>(op) : lane_op3<Fma<double>, double, double>();
  }
  if (name == "div") return op.has("approx") ? f32_2<DivApprox>(op) : any2<Div>(op);
  if (name == "min") return minimum_maximum(op, true);
  if (name == "max") return minimum_maximum(op, false);
  if (name == "copysign") {
    return op.type() == Type::f32 ? lane_op2<Copysign<float>, float, float>()
                                  : lane_op2<Copysign<double>, double, double>();
  }
  return unary(op);
}

}  // namespace tessera::sim
