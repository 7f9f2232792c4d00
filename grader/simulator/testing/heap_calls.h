// PTX that takes memory from the device's heap and gives it back.
#pragma once

#include <string>

namespace tessera::test {

/// The declarations that a module needs for allocated() and freed().
inline constexpr const char* kHeapScope = R"(
.extern .func (.param .b64 block) malloc(.param .b64 bytes);
.extern .func free(.param .b64 block);
)";

/// Leaves a new block of so many bytes in `reg`.
inline std::string allocated(const std::string& bytes, const std::string& reg = "%rd0") {
  return "{ .param .b64 n; st.param.b64 [n], " + bytes +
         "; .param .b64 r; call.uni (r), malloc, (n); ld.param.b64 " + reg + ", [r]; }\n";
}

inline std::string freed(const std::string& reg = "%rd0") {
  return "{ .param .b64 b; st.param.b64 [b], " + reg + "; call.uni free, (b); }\n";
}

}  // namespace tessera::test
