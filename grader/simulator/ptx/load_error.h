// Why PTX does not load. By the kind of fault the judge decides who is to blame.
#pragma once

#include <string>

namespace tessera {

enum class LoadFault {
  not_ptx,     // ptxas would refuse it too
  over_limit,  // it exceeds a limit of the simulator (limits.h)
  unknown,     // it is valid PTX that the simulator's parser does not know
  undefined,   // a called function is not defined anywhere: no linker would find it
};

struct LoadError {
  LoadFault fault = LoadFault::not_ptx;
  int line = 0;      // of the PTX; 0: no line
  std::string name;  // of the variable or function at fault, as in the source; or ""
  std::string message;

  /// "PTX:12: message"
  std::string str() const;
};

}  // namespace tessera
