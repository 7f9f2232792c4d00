// Numbers as messages show them.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

/// "1,234,567"
std::string grouped(std::uint64_t number);

/// A metric or a requirement: "4", "4.5", "1,234,567", "0.3333".
std::string short_number(double number);

/// The shortest text that reads as the same number: "0.1", "1e+20".
std::string exact_number(double number);

/// "1 element", "3,072 elements"
std::string counted(std::uint64_t number, const std::string& noun);

/// "3 s", "2 min 10 s", "1 h 05 min"
std::string duration_text(double seconds);

}  // namespace tessera
