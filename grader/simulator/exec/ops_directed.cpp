// Arithmetic rounded toward zero, down or up. Compiled with -frounding-math: the host's rounding
// mode is switched around it.
#include <cfenv>

#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Type;

class RoundingScope {
 public:
  explicit RoundingScope(int mode) : saved_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(saved_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int saved_;
};

template <class T>
struct Add : CountedArithmetic {
  static T apply(T a, T b, T) { return a + b; }
};
template <class T>
struct Sub : CountedArithmetic {
  static T apply(T a, T b, T) { return a - b; }
};
template <class T>
struct Mul : CountedArithmetic {
  static T apply(T a, T b, T) { return a * b; }
};
template <class T>
struct Div {
  static T apply(T a, T b, T) { return a / b; }
};
template <class T>
struct Fma : CountedArithmetic {
  static T apply(T a, T b, T c) { return std::fma(a, b, c); }
};
template <class T>
struct Rcp {
  static T apply(T a, T, T) { return T{1} / a; }
};
template <class T>
struct Sqrt {
  static T apply(T a, T, T) { return std::sqrt(a); }
};

template <class F, class T, int kMode, unsigned kOperands, bool kFtz, bool kSat>
const Inst* directed(Warp& warp, const Inst* inst, Mask mask) {
  const T* a = warp.reg<T>(inst->a);
  const T* b = kOperands > 1 ? warp.reg<T>(inst->b) : a;
  const T* c = kOperands > 2 ? warp.reg<T>(inst->c) : a;
  count_arithmetic<F>(warp, mask);
  alignas(64) T result[kLanes] = {};
  {
    const RoundingScope scope(kMode);
    for_lanes(mask, [&](unsigned lane) {
      // volatile keeps the operation between the two changes of mode.
      volatile T x = kFtz ? flush(a[lane]) : a[lane];
      volatile T y = kFtz ? flush(b[lane]) : b[lane];
      volatile T z = kFtz ? flush(c[lane]) : c[lane];
      volatile T value = F::apply(x, y, z);
      result[lane] = value;
    });
  }
  for_lanes(mask, [&](unsigned lane) {
    if (kFtz) result[lane] = flush(result[lane]);
    if (kSat) result[lane] = saturate01(result[lane]);
    result[lane] = canonical(result[lane]);
  });
  blend(warp.reg<T>(inst->dst), result, mask);
  return inst + 1;
}

template <class F, class T, int kMode, unsigned kOperands>
Handler with_modifiers(const Opcode& op) {
  if (op.has("ftz")) {
    return op.has("sat") ? directed<F, T, kMode, kOperands, true, true>
                         : directed<F, T, kMode, kOperands, true, false>;
  }
  return op.has("sat") ? directed<F, T, kMode, kOperands, false, true>
                       : directed<F, T, kMode, kOperands, false, false>;
}

template <template <class> class F, class T, unsigned kOperands>
Handler with_mode(const Opcode& op) {
  if (op.has("rz")) return with_modifiers<F<T>, T, FE_TOWARDZERO, kOperands>(op);
  if (op.has("rm")) return with_modifiers<F<T>, T, FE_DOWNWARD, kOperands>(op);
  return with_modifiers<F<T>, T, FE_UPWARD, kOperands>(op);
}

template <template <class> class F, unsigned kOperands>
LaneOp with_type(const Opcode& op) {
  const bool wide = op.type() == Type::f64;
  const unsigned size = wide ? 8 : 4;
  return {wide ? with_mode<F, double, kOperands>(op) : with_mode<F, float, kOperands>(op), size,
          size, kOperands > 1 ? size : 0, kOperands > 2 ? size : 0};
}

template <template <class> class F>
LaneOp one(const Opcode& op) {
  return with_type<F, 1>(op);
}
template <template <class> class F>
LaneOp two(const Opcode& op) {
  return with_type<F, 2>(op);
}
template <template <class> class F>
LaneOp three(const Opcode& op) {
  return with_type<F, 3>(op);
}

}  // namespace

LaneOp directed_op(const Opcode& op) {
  static constexpr LaneMaker kMakers[] = {
#define INSTRUCTION(name, words, unit, traits, decode, integer, bits, floating, directed, half) \
  directed,
#include "grader/simulator/ptx/instruction_set.def"
  };
  return kMakers[op.row](op);
}

}  // namespace tessera::sim
