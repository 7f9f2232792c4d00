// Exit statuses of the program.
#pragma once

namespace tessera {

enum ExitStatus : int {
  kSuccess = 0,         // all measurable points won; nothing found
  kPointsLost = 1,      // some lost; something found
  kUsage = 2,           // a mistake on the command line, or in a lab.yaml
  kInfrastructure = 3,  // our fault, or this machine's
  kInterrupted = 130,   // Ctrl-C, as shells number it
};

}  // namespace tessera
