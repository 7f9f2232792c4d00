// Control flow of a warp: branches, joins, calls, exits, barriers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// Ends the launch with the finding `trap` at `inst`; `lane`: whose mistake it is, if one lane's.
[[noreturn]] void stop_with_trap(Warp& warp, const Inst* inst, Text message, Text hint,
                                 std::optional<unsigned> lane = std::nullopt);

/// Inst::flags of branch.
struct BranchFlags {
  static constexpr std::uint32_t kUniform = 1;  // .uni
};

// Handlers. Inst::target is the branch target; Inst::reconverge where its lanes meet again.
const Inst* branch(Warp& warp, const Inst* inst, Mask mask);
const Inst* branch_indexed(Warp& warp, const Inst* inst,
                           Mask mask);  // a: index; targets in the list
const Inst* join_point(Warp& warp, const Inst* inst,
                       Mask mask);  // stands where lanes may meet; no PTX instruction
const Inst* call_function(Warp& warp, const Inst* inst,
                          Mask mask);  // target: function; list: argument and return slots
const Inst* call_indirect(Warp& warp, const Inst* inst, Mask mask);  // a: 64-bit addresses
const Inst* return_from(Warp& warp, const Inst* inst, Mask mask);
const Inst* exit_thread(Warp& warp, const Inst* inst, Mask mask);
const Inst* trap(Warp& warp, const Inst* inst, Mask mask);
const Inst* unsupported(Warp& warp, const Inst* inst, Mask mask);

/// bar.sync, bar.arrive and bar.red. a: barrier number, b: threads (both 32-bit); c.offset:
/// predicate of bar.red.
struct BarrierFlags {
  static constexpr std::uint32_t kArrive = 1;
  static constexpr std::uint32_t kCounted = 2;  // b is given
  static constexpr std::uint32_t kReduce = 12;  // mask of the next three
  static constexpr std::uint32_t kPopc = 4;     // result in dst
  static constexpr std::uint32_t kAnd = 8;      // result in predicate dst.offset
  static constexpr std::uint32_t kOr = 12;
  static constexpr std::uint32_t kNegate = 16;   // the predicate
  static constexpr std::uint32_t kAligned = 32;  // a warp comes to it as a whole
};
const Inst* barrier(Warp& warp, const Inst* inst, Mask mask);

/// Inst::flags of warp-wide instructions.
struct CollectiveFlags {
  static constexpr std::uint32_t kNegate = 1;  // vote's predicate (index c.offset)
  static constexpr std::uint32_t kResult = 2;  // elect: dst is a register
};

/// bar.warp.sync and elect; d is the member mask.
extern const Collective kSync, kElect;
/// shfl (a value, b lane, c clamp, dst2 predicate), vote (c predicate), match and redux (a value);
/// nullptr for another form.
const Collective* shuffle_of(const Opcode& op);
const Collective* vote_of(const Opcode& op);
const Collective* match_of(const Opcode& op);
const Collective* reduce_of(const Opcode& op);

/// Waits until the lanes named by the member mask (Inst::d) have come, then runs Inst::collective.
const Inst* collective(Warp& warp, const Inst* inst, Mask mask);

/// Whether the warp has had the instructions of one turn.
bool turn_is_spent(const Warp& warp);

/// Whether the warps of a block go by falling number, each for long.
inline bool warps_fall(Turns turns) {
  return turns == Turns::falling || turns == Turns::falling_warps;
}
void end_turn(Warp& warp);

/// Ends the launch where the warp has executed more instructions than one may, or all warps
/// together have taken more than they may. Called where a loop or a call can repeat, and where an
/// instruction has done much.
void check_steps(Warp& warp, const Inst* inst);

/// Adds the warp's steps and the worker's charges to the launch's. Ends it where these are too
/// many, with a finding at `source` of the function.
void settle_steps(Warp& warp, const Function* function, std::uint32_t source);

/// Whether one of the instructions for which `is_goal` holds can be reached from one of `from`, all
/// of them indices into the function's code, without leaving the function.
bool reaches(const Function& function, std::vector<std::size_t> from,
             const std::function<bool(std::size_t)>& is_goal);

/// Releases barriers that are complete because threads exited.
void complete_barriers(Worker& worker);
/// After lanes of the warp have ended: those that wait for no other lane any more go on.
void retry_collectives(Warp& warp);

/// Lets lanes that are parked at joins go on without the others. False where there were none.
bool release_parked(Warp& warp);

/// Ends the block after noting where its threads wait for each other.
[[noreturn]] void report_deadlock(Worker& worker);

/// Looks up a builtin that kernels call (vprintf, __assertfail, ...) with the slots of a call;
/// nullptr for another name or other slots than it takes.
Handler builtin_function(std::string_view name, const List& slots);

/// Whether the slots of a call are as many as the function has, and as large.
bool slots_fit(const List& slots, const Function& callee);

}  // namespace tessera::sim
