#include "common/expected.h"

namespace tessera {

std::string Error::str() const {
  std::string place = file;
  if (line > 0) {
    place += (place.empty() ? "line " : ":") + std::to_string(line);
    if (column > 0) place += ":" + std::to_string(column);
  }
  return place.empty() ? message : place + ": " + message;
}

}  // namespace tessera
