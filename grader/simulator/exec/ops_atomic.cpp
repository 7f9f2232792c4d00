// atom and red (PTX ISA 9.7.12.4): lanes one after the other, lowest first, so that a run repeats
// to the bit.
#include <type_traits>

#include "grader/simulator/exec/ieee.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Space;
using ptx::Type;

struct Add {
  template <class T>
  static T apply(T old, T b, T) {
    if constexpr (std::is_signed_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    }
    return static_cast<T>(old + b);
  }
};
struct Exch {
  template <class T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct Min {
  template <class T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <class T>
  static T apply(T old, T b, T) {
    return old < b ? b : old;
  }
};
struct And {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old & b);
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T b, T) {
    return static_cast<T>(old ^ b);
  }
};
struct Cas {
  template <class T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct Inc {
  template <class T>
  static T apply(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Dec {
  template <class T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};
struct FloatAdd {
  template <class T>
  static T apply(T old, T b, T) {
    return canonical(old + b);
  }
};

template <class Format, unsigned kParts>
struct HalfAdd {
  template <class T>
  static T apply(T old, T b, T) {
    T result = 0;
    for (unsigned part = 0; part < kParts; ++part) {
      const auto x = static_cast<std::uint16_t>(old >> (16 * part));
      const auto y = static_cast<std::uint16_t>(b >> (16 * part));
      const double sum =
          static_cast<double>(widen<Format>(x)) + static_cast<double>(widen<Format>(y));
      result = static_cast<T>(result | static_cast<T>(T{narrow<Format>(sum)} << (16 * part)));
    }
    return result;
  }
};

template <class F, class T, Space kSpace>
const Inst* atomic(Warp& warp, const Inst* inst, Mask mask) {
  const T* b = warp.reg<T>(inst->b);
  const T* c = warp.reg<T>(inst->c);
  T* to = inst->flags & AtomicFlags::kResult ? warp.reg<T>(inst->dst) : nullptr;
  count_atomic(warp, inst, kSpace, mask, sizeof(T));
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = lane_address(warp, inst, lane);
    const auto* expected =
        std::is_same_v<F, Cas> ? reinterpret_cast<const std::byte*>(b + lane) : nullptr;
    std::byte* host =
        lane_pointer(warp, inst, lane, kSpace, address, sizeof(T), Access::atomic, expected);
    T old{};
    if (host != nullptr) {
      std::memcpy(&old, host, sizeof old);
      T updated = F::apply(old, b[lane], c[lane]);
      if constexpr (std::is_same_v<F, FloatAdd>) {
        const bool in_shared =
            kSpace == Space::shared || (kSpace == Space::generic && is_shared_address(address));
        if (!in_shared) updated = flush(F::apply(flush(old), flush(b[lane]), c[lane]));
      }
      std::memcpy(host, &updated, sizeof updated);
    }
    if (to != nullptr) to[lane] = old;
  });
  return inst + 1;
}

template <class F, class T>
Handler in_space(Space space) {
  switch (space) {
    case Space::global:
      return atomic<F, T, Space::global>;
    case Space::shared:
      return atomic<F, T, Space::shared>;
    default:
      return atomic<F, T, Space::generic>;
  }
}

template <class T>
Handler integer_operation(const Opcode& op, Space space) {
  if (op.has("add")) return in_space<Add, T>(space);
  if (op.has("exch")) return in_space<Exch, T>(space);
  if (op.has("min")) return in_space<Min, T>(space);
  if (op.has("max")) return in_space<Max, T>(space);
  if (op.has("and")) return in_space<And, T>(space);
  if (op.has("or")) return in_space<Or, T>(space);
  if (op.has("xor")) return in_space<Xor, T>(space);
  if (op.has("cas")) return in_space<Cas, T>(space);
  if (op.has("inc")) return in_space<Inc, T>(space);
  if (op.has("dec")) return in_space<Dec, T>(space);
  return nullptr;
}

}  // namespace

Handler atomic_handler(const Opcode& op, Space space) {
  if (space != Space::global && space != Space::shared && space != Space::generic) return nullptr;
  switch (op.type()) {
    case Type::b16:
      return op.has("cas") ? in_space<Cas, std::uint16_t>(space) : nullptr;
    case Type::f32:
      return op.has("add")    ? in_space<FloatAdd, float>(space)
             : op.has("exch") ? in_space<Exch, float>(space)
                              : nullptr;
    case Type::f64:
      return op.has("add") ? in_space<FloatAdd, double>(space) : nullptr;
    case Type::f16:
      return op.has("add") ? in_space<HalfAdd<HalfFormat, 1>, std::uint16_t>(space) : nullptr;
    case Type::bf16:
      return op.has("add") ? in_space<HalfAdd<Bfloat16Format, 1>, std::uint16_t>(space) : nullptr;
    case Type::f16x2:
      return op.has("add") ? in_space<HalfAdd<HalfFormat, 2>, std::uint32_t>(space) : nullptr;
    case Type::bf16x2:
      return op.has("add") ? in_space<HalfAdd<Bfloat16Format, 2>, std::uint32_t>(space) : nullptr;
    default:
      return of_type<U32, I32, U64, I64>(
          as_unsigned(op.type()), [&]<class T>(T) { return integer_operation<T>(op, space); });
  }
}

}  // namespace tessera::sim
