// The order in which a launch's threads run.
#pragma once

namespace tessera {

/// How blocks, and the warps of a block, take turns. Hardware may choose any order; if threads talk
/// without barriers, a mistake may show in one order only.
enum class Turns {
  usual,          // by rising number
  falling,        // by falling number, each for a long time: what a thread does not wait for has
                  // not happened yet
  falling_warps,  // blocks by rising number, which may wait for lower ones; warps as in `falling`
  single,         // one instruction each: other warps come between the steps of all that is not
                  // atomic
  drawn,          // as usual, but with turns of random lengths, drawn from `key`, and with warps
                  // held up (RunRequest::hold)
  lanes,          // as usual, but the lanes of a warp run one by one, by falling number, and meet
                  // only where an instruction says so. Only its results count: it has findings of
                  // its own, and takes up to 32 times as many steps
  rising_lanes,   // the same by rising number
  blocks,         // several blocks at the same time: a warp's turn ends when it has talked, usually
                  // once. Each block's warps take turns by rising or by falling number, which is
                  // drawn. Accesses to global memory are not checked
};

/// Whether the lanes of a warp run one by one.
constexpr bool lanes_run_apart(Turns turns) {
  return turns == Turns::lanes || turns == Turns::rising_lanes;
}

}  // namespace tessera
