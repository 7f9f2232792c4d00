// mov and its relatives: special registers, addresses of local arrays, packing and unpacking.
#pragma once

#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// dst = a, `bytes` wide.
Handler move_handler(unsigned bytes);

/// dst = a + offset, also for cvta; nullptr unless `bytes` is 4 or 8.
Handler add_offset_handler(unsigned bytes);

/// dst (`bytes` wide) = address of a .local variable: the frame's base plus Inst::offset.
Handler local_address_handler(unsigned bytes);

/// Joins the registers of Function::lists[extra] into dst, and the reverse. `bytes`: of one piece;
/// total: of the whole.
Handler pack_handler(unsigned bytes, unsigned total);
Handler unpack_handler(unsigned bytes, unsigned total);

/// dst = the special register whose index is Inst::flags.
Handler special_handler(unsigned bytes);
/// The index of "%tid.x"; -1 for an unknown name.
int special_index(std::string_view name);

// Predicates: dst.offset, a.offset and b.offset are indices; flags bit 0 negates a, bit 1 negates
// b.
const Inst* predicate_move(Warp& warp, const Inst* inst, Mask mask);
const Inst* predicate_and(Warp& warp, const Inst* inst, Mask mask);
const Inst* predicate_or(Warp& warp, const Inst* inst, Mask mask);
const Inst* predicate_xor(Warp& warp, const Inst* inst, Mask mask);

/// dst.offset = whether the 64-bit address in a lies in the window of `space`; nullptr for a space
/// without one.
Handler isspacep_handler(ptx::Space space);

/// dst = the lanes that run this instruction.
const Inst* activemask(Warp& warp, const Inst* inst, Mask mask);

/// dst.offset = whether a has the property; testp.
Handler testp_handler(const Opcode& op);

/// An instruction with no effect here: fences, prefetches, hints.
const Inst* nothing(Warp& warp, const Inst* inst, Mask mask);

}  // namespace tessera::sim
