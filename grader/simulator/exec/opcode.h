// An instruction's words, looked at as opcode, modifiers and types.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/ptx/instruction_set.h"

namespace tessera::sim {

/// The words of ld and st, in addition to `volatile`, with which threads may see each other's
/// stores while they run.
inline constexpr const char* kStrongWords[] = {"relaxed", "acquire", "release", "mmio"};

struct Opcode {
  explicit Opcode(const std::vector<std::string>& instruction_words)
      : words(instruction_words), row(ptx::row_of(words[0])) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (const auto type = ptx::type_from(words[i])) types.push_back(*type);
    }
  }

  std::string_view name() const { return words[0]; }
  bool has(std::string_view word) const {
    return std::find(words.begin() + 1, words.end(), word) != words.end();
  }
  /// The i-th type, or Type::none.
  ptx::Type type(std::size_t i = 0) const { return i < types.size() ? types[i] : ptx::Type::none; }

  const std::vector<std::string>& words;
  std::size_t row;  // of instruction_set.def
  std::vector<ptx::Type> types;
};

/// A lane-wise instruction: dst = f(a, b, c, d). The numbers are the bytes that the handler reads
/// of each operand, or writes; 0: there is no such operand.
struct LaneOp {
  Handler run = nullptr;
  unsigned dst = 0;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  std::uint32_t flags = 0;  // Inst::flags
};

/// Returns the LaneOp for an instruction's types and modifiers; its handler is null if there is no
/// such form. instruction_set.def names the LaneMakers of each instruction.
using LaneMaker = LaneOp (*)(const Opcode&);

inline LaneOp none(const Opcode&) {
  return {};
}

// Each returns an empty LaneOp for an opcode that is not its own.
LaneOp integer_op(const Opcode& op);
LaneOp bit_op(const Opcode& op);
LaneOp float_op(const Opcode& op);
LaneOp half_op(const Opcode& op);
/// Arithmetic under a rounding mode other than to-nearest.
LaneOp directed_op(const Opcode& op);

/// Comparison of two values of `op`'s type; `setp` and `set` share it. Flags of the instruction:
/// see compare.cpp.
Handler setp_handler(const Opcode& op);
Handler set_handler(const Opcode& op);
/// selp and slct.
Handler select_handler(const Opcode& op);

/// Inst::flags of a cvt, with Inst::size the source register's bytes and Inst::count the
/// destination's.
std::uint32_t convert_flags(const Opcode& op);
/// cvt between registers of these widths (bytes).
Handler convert_handler(const Opcode& op, unsigned dst_bytes, unsigned src_bytes);

// ---- lane-wise handlers from functors with a static apply()

/// A base of functors that add or multiply floating-point numbers: a warp counts them.
struct CountedArithmetic {};

/// Counts an instruction that F calculates, if at least one lane executes it.
template <class F>
void count_arithmetic(Warp& warp, Mask mask) {
  if constexpr (std::is_base_of_v<CountedArithmetic, F>) warp.work.floating_point += mask != 0;
}

template <class F, class D, class A>
const Inst* map1(Warp& warp, const Inst* inst, Mask mask) {
  const A* a = warp.reg<A>(inst->a);
  write_lanes<D>(warp, inst->dst, mask, [=](unsigned lane) { return F::apply(a[lane]); });
  return inst + 1;
}

template <class F, class D, class A, class B>
const Inst* map2(Warp& warp, const Inst* inst, Mask mask) {
  const A* a = warp.reg<A>(inst->a);
  const B* b = warp.reg<B>(inst->b);
  count_arithmetic<F>(warp, mask);
  write_lanes<D>(warp, inst->dst, mask, [=](unsigned lane) { return F::apply(a[lane], b[lane]); });
  return inst + 1;
}

template <class F, class D, class A, class B, class C>
const Inst* map3(Warp& warp, const Inst* inst, Mask mask) {
  const A* a = warp.reg<A>(inst->a);
  const B* b = warp.reg<B>(inst->b);
  const C* c = warp.reg<C>(inst->c);
  count_arithmetic<F>(warp, mask);
  write_lanes<D>(warp, inst->dst, mask,
                 [=](unsigned lane) { return F::apply(a[lane], b[lane], c[lane]); });
  return inst + 1;
}

template <class F, class D, class A>
LaneOp lane_op1() {
  return {map1<F, D, A>, sizeof(D), sizeof(A)};
}

template <class F, class D, class A, class B = A>
LaneOp lane_op2() {
  return {map2<F, D, A, B>, sizeof(D), sizeof(A), sizeof(B)};
}

template <class F, class D, class A, class B = A, class C = A>
LaneOp lane_op3() {
  return {map3<F, D, A, B, C>, sizeof(D), sizeof(A), sizeof(B), sizeof(C)};
}

// ---- handlers by the type that an opcode names

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;

/// The name of T in PTX.
template <class T>
constexpr ptx::Type type_of() {
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? ptx::Type::f32 : ptx::Type::f64;
  const auto narrowest = std::is_signed_v<T> ? ptx::Type::s8 : ptx::Type::u8;
  return static_cast<ptx::Type>(static_cast<int>(narrowest) + std::countr_zero(sizeof(T)));
}

/// u32 for b32, and so on; other types stay as they are.
inline ptx::Type as_unsigned(ptx::Type type) {
  if (type < ptx::Type::b8 || type > ptx::Type::b64) return type;
  return static_cast<ptx::Type>(static_cast<int>(type) - static_cast<int>(ptx::Type::b8) +
                                static_cast<int>(ptx::Type::u8));
}

/// make(T()) for that one of Ts which `type` names; an empty result if it names none.
template <class T, class... Ts, class Make>
auto of_type(ptx::Type type, Make make) {
  if (type == type_of<T>()) return make(T());
  if constexpr (sizeof...(Ts) != 0) {
    return of_type<Ts...>(type, make);
  } else {
    return decltype(make(T()))();
  }
}

}  // namespace tessera::sim
