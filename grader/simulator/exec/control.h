// Control flow of a warp: branches, joins, calls, exits, barriers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// Ends the launch with the finding `trap` at `inst`. `lane` is the lane at fault, if it is a
/// single one.
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

/// a: nanoseconds (32-bit).
const Inst* sleep_for(Warp& warp, const Inst* inst, Mask mask);

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

/// Waits until all lanes of the member mask (Inst::d) have come, then runs Inst::collective.
const Inst* collective(Warp& warp, const Inst* inst, Mask mask);

/// Whether the warp has executed as many instructions as one turn has.
bool turn_is_spent(const Warp& warp);

/// Whether the warps of a block run by falling number, each for a long time.
inline bool warps_fall(Turns turns) {
  return turns == Turns::falling || turns == Turns::falling_warps;
}
void end_turn(Warp& warp);

/// Ends the launch if the warp has executed more instructions than step_limit allows, or all warps
/// together have taken more steps than launch_step_limit allows. Called where a loop or a call can
/// repeat, and after an instruction that costs much.
void check_steps(Warp& warp, const Inst* inst);

/// Adds the warp's steps and the worker's charges to those of the launch. Ends the launch if these
/// are too many, with a finding at `source` of the function.
void settle_steps(Warp& warp, const Function* function, std::uint32_t source);

/// Whether an instruction for which `is_goal` holds can be reached, without leaving the function,
/// from an instruction of `from`, on a path that no `is_wall` ends. Instructions are indices
/// into the function's code.
bool reaches(const Function& function, std::vector<std::size_t> from,
             const std::function<bool(std::size_t)>& is_goal,
             const std::function<bool(std::size_t)>& is_wall = {});

/// Releases barriers that are complete because threads exited.
void complete_barriers(Worker& worker);
/// After lanes of the warp have ended: lets waiting lanes go on if they waited only for those.
void retry_collectives(Warp& warp);

/// Lets lanes that are parked at joins go on without the others. Returns false if there are none.
bool release_parked(Warp& warp);

/// Ends the block after noting what it needs and the simulator does not support: a person has to
/// judge it. `subject` distinguishes causes in one place.
[[noreturn]] void stop_as_unsupported(Worker& worker, const Function& function,
                                      std::uint32_t source, const std::string& subject,
                                      const Text& message);

/// Ends the block as unsupported if its threads, each with `bytes` of local memory when `function`
/// begins, have more than the simulator holds.
void require_local_bytes(Worker& worker, const Function& function, std::uint64_t bytes);

/// Ends the block after noting where its threads wait for each other.
[[noreturn]] void report_deadlock(Worker& worker);

/// Returns the builtin that a kernel calls by this name (vprintf, __assertfail, ...); nullptr if
/// there is none, or if it takes other slots.
Handler builtin_function(std::string_view name, const List& slots);

/// Whether a call's slots agree with the function's in number and size.
bool slots_fit(const List& slots, const Function& callee);

}  // namespace tessera::sim
