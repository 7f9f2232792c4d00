// The order in which a launch's threads run.
#pragma once

namespace tessera {

/// How blocks, and the warps of a block, take turns. Hardware may choose any order; if threads talk
/// without barriers, a mistake may show in one order only.
enum class Turns {
  usual,          // by rising number
  falling,        // by falling number, each for long: what is not waited for has not happened
  falling_warps,  // blocks by rising number, which may wait for lower ones; warps as in `falling`
  single,         // an instruction each: others come between whatever is not done at once
  drawn,          // as usual, but for as long as is drawn from `key`, and RunRequest::hold
  lanes,          // as usual, but the lanes of a warp run one by one, by falling number: they meet
                  // where an instruction says so. For results alone: its findings are of this
                  // order, and it takes up to 32 times as many steps
  blocks,         // several blocks at the same time: each warp goes on until it has talked, most
                  // often once. Accesses of different blocks are not checked
};

}  // namespace tessera
