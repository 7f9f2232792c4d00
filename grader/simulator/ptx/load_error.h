// Why PTX does not load, typed: by this the judge decides whose fault it is.
#pragma once

#include <string>

namespace tessera {

enum class LoadFault {
  not_ptx,     // ptxas would refuse it too
  over_limit,  // more of something than the simulator takes (limits.h)
  unknown,     // PTX has it, and the simulator's parser has not
  undefined,   // a function is called that nobody defines: no linker would find it
};

struct LoadError {
  LoadFault fault = LoadFault::not_ptx;
  int line = 0;      // of the PTX; 0 where it is of none
  std::string name;  // of the variable or function that it is about, as in the source; or ""
  std::string message;

  /// "PTX:12: message"
  std::string str() const;
};

}  // namespace tessera
