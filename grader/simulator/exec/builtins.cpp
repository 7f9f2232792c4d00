// Functions that the device runtime supplies: printf, assert, the heap.
#include <fmt/format.h>

#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/exec/print_format.h"

namespace tessera::sim {
namespace {

using ptx::Space;

/// The call's argument number `index`, as `T`.
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

/// Counts a request of these lanes, with a pass for each lane.
void count_request(Warp& warp, const Inst* inst, AccessCount Site::*memory, Mask lanes) {
  if (lanes == 0) return;
  AccessCount& count = warp.worker->sites[inst->site].*memory;
  const auto pieces = static_cast<unsigned>(std::popcount(lanes));
  ++count.requests;
  count.pieces += pieces;
  count.least += pieces;
  count.cache_lines += pieces;
}

/// Counts the format of printf as a load: threads may have written it for each other.
void count_texts(Warp& warp, const Inst* inst, Mask mask) {
  Mask shared = 0, global = 0;
  for_lanes(mask, [&](unsigned lane) {
    const auto address = argument<std::uint64_t>(warp, inst, 0, lane);
    const bool own = is_local_address(address);
    const bool of_module = address - kModuleGlobals < kHeapWindow - kModuleGlobals;
    const bool is_shared = is_shared_address(address);
    shared |= Mask{is_shared} << lane;
    global |= Mask{!is_shared && !own && !of_module} << lane;
  });
  count_request(warp, inst, &Site::shared, shared);
  count_request(warp, inst, &Site::global, global);
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

/// What one printf prints.
struct Formatted {
  std::string text;
  std::int32_t arguments = 0;  // how many were taken
};

/// The arguments of one printf, read in order. They lie one after the other, each aligned to its
/// size: 4 bytes for int, 8 for double, long and pointers.
class PrintArguments {
 public:
  PrintArguments(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address)
      : warp_(warp), inst_(inst), lane_(lane), address_(address) {}

  std::uint64_t take(unsigned bytes) {
    ++taken_;
    address_ = round_up(address_, bytes);
    const std::byte* at =
        lane_pointer(warp_, inst_, lane_, Space::generic, address_, bytes, Access::read);
    address_ += bytes;
    std::uint64_t value = 0;
    if (at != nullptr) std::memcpy(&value, at, bytes);
    return value;
  }
  std::int32_t taken() const { return taken_; }

 private:
  Warp& warp_;
  const Inst* inst_;
  unsigned lane_;
  std::uint64_t address_;
  std::int32_t taken_ = 0;
};

/// Formats a text. Reads all arguments, but makes only the first `most` characters.
Formatted format_device(Warp& warp, const Inst* inst, unsigned lane, std::string_view format,
                        std::uint64_t address, std::size_t most) {
  PrintArguments arguments(warp, inst, lane, address);
  std::string text;
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%' || format.substr(i, 2) == "%%") {
      text += format[i];
      i += format[i] == '%' ? 2 : 1;
      continue;
    }
    std::optional<Conversion> conversion = conversion_at(format.substr(i));
    if (!conversion) {
      text += format[i++];
      continue;
    }
    i += conversion->length;
    if (conversion->width_argument)
      conversion->set_width(static_cast<std::int32_t>(arguments.take(4)));
    if (conversion->precision_argument)
      conversion->set_precision(static_cast<std::int32_t>(arguments.take(4)));
    const std::uint64_t bits = arguments.take(conversion->bytes());
    if (text.size() >= most) continue;
    const std::string string =
        conversion->kind == 's' ? device_string(warp, inst, lane, bits) : std::string();
    text += printed(*conversion, bits, string);
  }
  text.resize(std::min(text.size(), most));
  return {std::move(text), arguments.taken()};
}

bool is_timed(const Warp& warp) {
  const Watcher* watcher = warp.worker->watcher;
  return watcher != nullptr && watcher->measures_time();
}

const Inst* device_printf(Warp& warp, const Inst* inst, Mask mask) {
  // The timing model does not know how long it takes.
  if (is_timed(warp)) throw BlockStopped{};
  Printed& printed = warp.worker->printed;
  const std::uint64_t limit = warp.worker->launch->output_limit;
  count_texts(warp, inst, mask);
  for_lanes(mask, [&](unsigned lane) {
    const std::string format =
        device_string(warp, inst, lane, argument<std::uint64_t>(warp, inst, 0, lane));
    const Formatted formatted =
        format_device(warp, inst, lane, format, argument<std::uint64_t>(warp, inst, 1, lane),
                      printed.wanted(limit));
    give_result(warp, inst, lane, formatted.arguments);
    printed.add(warp.block->index, formatted.text, limit);
  });
  check_steps(warp, inst);
  return inst + 1;
}

/// __assertfail(message, file, line, function, character size)
const Inst* assert_failed(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const unsigned lane = static_cast<unsigned>(std::countr_zero(mask));
  const std::string what =
      device_string(warp, inst, lane, argument<std::uint64_t>(warp, inst, 0, lane));
  stop_with_trap(warp, inst, say(Phrase::assertion_failed, Name{what}),
                 Phrase::assertion_failed_hint, lane);
}

constexpr std::uint64_t kStepsOfHeapBlock = 8;  // to find room for it
constexpr std::uint64_t kSitesOfStep = 16;

const Inst* device_malloc(Warp& warp, const Inst* inst, Mask mask) {
  // The timing model knows no memory that comes and goes.
  if (is_timed(warp)) throw BlockStopped{};
  // Counts as an atomic: all threads share the heap, so each sees what others have taken.
  count_request(warp, inst, &Site::global, mask);
  for_lanes(mask, [&](unsigned lane) {
    const auto bytes = argument<std::uint64_t>(warp, inst, 0, lane);
    const std::uint64_t address =
        allocate_on_heap(*warp.worker->heap, *warp.worker->launch->memory, bytes);
    give_result(warp, inst, lane, address);
    warp.worker->charge(kStepsOfHeapBlock);
    if (address != 0) warp.worker->charge_bytes(bytes);
  });
  check_steps(warp, inst);
  return inst + 1;
}

void note_wrong_free(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                     HeapFree result) {
  const bool twice = result == HeapFree::freed_before;
  warp.worker->note({FindingKind::out_of_bounds, warp.frame->function, inst->source,
                     twice ? "freed twice" : "freed"},
                    1, [&](FindingNote& note) {
                      name_thread(note, warp, lane);
                      note.message = twice ? Text(Phrase::freed_twice)
                                           : say(Phrase::frees_no_block,
                                                 Detail(fmt::format("{:#x}", address)));
                      note.hint = twice ? Phrase::freed_twice_hint : Phrase::frees_no_block_hint;
                    });
}

const Inst* device_free(Warp& warp, const Inst* inst, Mask mask) {
  count_request(warp, inst, &Site::global, mask);
  for_lanes(mask, [&](unsigned lane) {
    const auto address = argument<std::uint64_t>(warp, inst, 0, lane);
    if (address == 0) return;
    const HeapFree result = free_on_heap(*warp.worker, address);
    // Each memory instruction of the launch forgets the block.
    warp.worker->charge(kStepsOfHeapBlock + warp.worker->sites.size() / kSitesOfStep);
    if (result != HeapFree::done) note_wrong_free(warp, inst, lane, address, result);
  });
  check_steps(warp, inst);
  return inst + 1;
}

struct Builtin {
  std::string_view name;
  Handler run;
  std::uint32_t result;                  // bytes; 0: none
  std::vector<std::uint32_t> arguments;  // bytes of each
};

bool takes(const Builtin& builtin, const List& slots) {
  const bool results =
      slots.returns == 0 || (slots.returns == 1 && slots.sizes[0] == builtin.result);
  return results && std::equal(slots.sizes.begin() + slots.returns, slots.sizes.end(),
                               builtin.arguments.begin(), builtin.arguments.end());
}

const Builtin kBuiltins[] = {
#define RUNTIME_FUNCTION(name, handler, result, ...) {name, handler, result, {__VA_ARGS__}},
#include "grader/simulator/ptx/runtime_functions.def"
#undef RUNTIME_FUNCTION
};

}  // namespace

Handler builtin_function(std::string_view name, const List& slots) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.name == name && takes(builtin, slots)) return builtin.run;
  }
  return nullptr;
}

}  // namespace tessera::sim
