// Functions that the device runtime supplies: printf, assert, the heap.
#include <fmt/format.h>

#include <cstdio>

#include "grader/simulator/control.h"
#include "grader/simulator/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Space;

/// The argument slot `index` of the call, as `T`.
template <class T>
T argument(Warp& warp, const Inst* inst, unsigned index, unsigned lane) {
  const List& list = warp.frame->function->lists[inst->extra];
  T value;
  std::memcpy(&value, warp.frame->parameter(lane, list.refs[list.returns + index].offset),
              sizeof value);
  return value;
}

template <class T>
void give_result(Warp& warp, const Inst* inst, unsigned lane, T value) {
  const List& list = warp.frame->function->lists[inst->extra];
  if (list.returns != 0)
    std::memcpy(warp.frame->parameter(lane, list.refs[0].offset), &value, sizeof value);
}

/// The zero-terminated string at a device address; at most `limit` characters.
std::string device_string(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                          std::size_t limit = 4096) {
  std::string text;
  while (text.size() < limit) {
    const std::byte* at =
        lane_pointer(warp, inst, lane, Space::generic, address + text.size(), 1, Access::read);
    if (at == nullptr || *at == std::byte{0}) break;
    text += static_cast<char>(*at);
  }
  return text;
}

/// Formats one conversion such as "%-8.3f" with the host's printf, in the type that the conversion
/// names.
std::string format_one(std::string spec, std::uint64_t bits, const std::string& string) {
  const char conversion = spec.back();
  char buffer[512];
  // Length modifiers are replaced by ours: every integer travels as 64 bits.
  std::string flags;
  bool wide = false;
  for (char c : spec.substr(0, spec.size() - 1)) {
    if (c == 'l' || c == 'j' || c == 'z' || c == 't')
      wide = true;
    else if (c != 'h' && c != 'L')
      flags += c;
  }
  int length = 0;
  switch (conversion) {
    case 'd':
    case 'i': {
      const long long value = wide ? static_cast<long long>(bits) : static_cast<std::int32_t>(bits);
      length = std::snprintf(buffer, sizeof buffer, (flags + "lld").c_str(), value);
      break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      const unsigned long long value = wide ? bits : static_cast<std::uint32_t>(bits);
      length = std::snprintf(buffer, sizeof buffer, (flags + "ll" + conversion).c_str(), value);
      break;
    }
    case 'c':
      length = std::snprintf(buffer, sizeof buffer, (flags + "c").c_str(), static_cast<int>(bits));
      break;
    case 'p':
      length =
          std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(bits));
      break;
    case 's':
      length = std::snprintf(buffer, sizeof buffer, (flags + "s").c_str(), string.c_str());
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      length = std::snprintf(buffer, sizeof buffer, (flags + conversion).c_str(),
                             std::bit_cast<double>(bits));
      break;
    default:
      return spec;
  }
  return {buffer,
          static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof buffer) - 1))};
}

/// Arguments lie one after the other, each aligned to its size: 4 bytes for int, 8 for double, long
/// and pointers.
struct Formatted {
  std::string text;
  std::int32_t arguments = 0;  // how many were taken
};

/// Reads the arguments in any case; without `write` the text stays empty.
Formatted format_device(Warp& warp, const Inst* inst, unsigned lane, const std::string& format,
                        std::uint64_t arguments, bool write) {
  Formatted result;
  std::string& text = result.text;
  const auto take = [&](unsigned bytes) {
    ++result.arguments;
    arguments = (arguments + bytes - 1) / bytes * bytes;
    const std::byte* at =
        lane_pointer(warp, inst, lane, Space::generic, arguments, bytes, Access::read);
    arguments += bytes;
    std::uint64_t value = 0;
    if (at != nullptr) std::memcpy(&value, at, bytes);
    return value;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      text += '%';
      ++i;
      continue;
    }
    std::string spec = "%";
    bool wide = false;
    while (++i < format.size()) {
      const char c = format[i];
      if (c == '*') {
        spec += std::to_string(static_cast<std::int32_t>(take(4)));
        continue;
      }
      spec += c;
      if (c == 'l' || c == 'j' || c == 'z' || c == 't') wide = true;
      if (std::string_view("diuxXocpsfFeEgGaA").find(c) != std::string_view::npos) break;
    }
    const char conversion = spec.back();
    const bool small =
        !wide && std::string_view("diuxXoc").find(conversion) != std::string_view::npos;
    const std::uint64_t bits = take(small ? 4 : 8);
    const std::string string = conversion == 's' ? device_string(warp, inst, lane, bits) : "";
    if (write) text += format_one(spec, bits, string);
  }
  if (!write) text.clear();
  return result;
}

const Inst* device_printf(Warp& warp, const Inst* inst, Mask mask) {
  Worker& worker = *warp.worker;
  for_lanes(mask, [&](unsigned lane) {
    const std::string format =
        device_string(warp, inst, lane, argument<std::uint64_t>(warp, inst, 0, lane));
    const bool kept = worker.output_bytes < worker.launch->output_limit;
    const Formatted formatted =
        format_device(warp, inst, lane, format, argument<std::uint64_t>(warp, inst, 1, lane), kept);
    give_result(warp, inst, lane, formatted.arguments);
    ++worker.prints;
    worker.output_cut |= !kept;
    if (!kept) return;
    worker.output_bytes += formatted.text.size();
    if (!worker.output.empty() && worker.output.back().first == warp.block->index) {
      worker.output.back().second += formatted.text;
    } else {
      worker.output.emplace_back(warp.block->index, formatted.text);
    }
  });
  return inst + 1;
}

/// __assertfail(message, file, line, function, character size)
const Inst* assert_failed(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const unsigned lane = static_cast<unsigned>(std::countr_zero(mask));
  const std::string what =
      device_string(warp, inst, lane, argument<std::uint64_t>(warp, inst, 0, lane));
  warp.worker->note({FindingKind::trap, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = fmt::format("assertion failed: {}", what);
                      note.hint = "The kernel's own assert() ended the launch.";
                      note.example.emplace_back("thread", to_string(thread_of(warp, lane)));
                      note.example.emplace_back("block", to_string(warp.block->id));
                    });
  throw BlockStopped{};
}

/// The simulated device has no heap: malloc says so in the way the language defines, with a null
/// pointer.
const Inst* device_malloc(Warp& warp, const Inst* inst, Mask mask) {
  for_lanes(mask, [&](unsigned lane) { give_result<std::uint64_t>(warp, inst, lane, 0); });
  return inst + 1;
}

const Inst* device_free(Warp&, const Inst* inst, Mask) {
  return inst + 1;
}

}  // namespace

Handler builtin_function(std::string_view name) {
  if (name == "vprintf") return device_printf;
  if (name == "__assertfail" || name == "__assert_fail") return assert_failed;
  if (name == "malloc") return device_malloc;
  if (name == "free") return device_free;
  return nullptr;
}

}  // namespace tessera::sim
