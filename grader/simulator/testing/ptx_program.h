// Small PTX kernels for tests, made of snippets of PTX.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/simulator/simulator.h"

namespace tessera::test {

/// The three lines that begin every module.
inline const std::string kHead = ".version 8.8\n.target sm_90\n.address_size 64\n";

/// The value of each byte of an output before the kernel runs.
inline constexpr std::uint8_t kPoisonByte = 0xCD;
inline constexpr std::uint32_t kPoison32 = 0xCDCDCDCDu;

/// The bits of a value of any type: integers sign-extended, floats as their pattern.
struct Bits {
  std::uint64_t value = 0;
  bool any_nan = false;  // as an expected value: stands for every NaN

  template <std::integral T>
  Bits(T v) : value(static_cast<std::uint64_t>(v)) {}
  Bits(float v) : value(std::bit_cast<std::uint32_t>(v)) {}
  Bits(double v) : value(std::bit_cast<std::uint64_t>(v)) {}

  static Bits nan() {
    Bits bits(0);
    bits.any_nan = true;
    return bits;
  }
};

/// The NaN that fp32 instructions return, and that of the 16-bit formats.
inline constexpr std::uint32_t kNan32 = 0x7fffffffu;
inline constexpr std::uint32_t kNan16 = 0x7fffu;

inline std::uint32_t bits_of(float v) {
  return std::bit_cast<std::uint32_t>(v);
}
inline std::uint64_t bits_of(double v) {
  return std::bit_cast<std::uint64_t>(v);
}

/// A kernel named `test` around a body, with its buffers and arguments.
///
/// The body finds: %index (the thread's number in the grid, block after block, x fastest), for each
/// buffer NAME the registers %NAME (its global address) and %NAME_at (the address of element
/// %index), for each argument NAME the register %NAME; scratch registers %p0-%p15, %h0-%h31 (b16),
/// %r0-%r31 (b32), %rd0-%rd31 (b64), %f0-%f31 (f32), %fd0-%fd31 (f64). It ends where the body ends.
class PtxProgram {
 public:
  explicit PtxProgram(std::string body, std::string module_scope = "");

  template <class T>
  PtxProgram& buffer(const std::string& name, const std::vector<T>& contents) {
    BufferInfo info;
    info.name = name;
    info.element_bytes = sizeof(T);
    return add_buffer(std::move(info), std::as_bytes(std::span(contents)));
  }
  PtxProgram& add_buffer(BufferInfo info, std::span<const std::byte> contents);

  /// A scalar parameter of a type such as "u32".
  PtxProgram& argument(const std::string& name, const std::string& type, Bits value);

  LaunchShape shape{.grid = {}, .block = {32, 1, 1}, .shared_bytes = 0};
  std::uint64_t step_limit = 1'000'000;
  std::uint64_t launch_step_limit = 0;
  std::uint32_t shared_readers = 0;  // RunRequest::shared_readers; 0: not followed
  bool load_use = false;             // RunRequest::load_use
  Turns turns = Turns::usual;
  std::uint64_t key = 1;           // RunRequest::key
  std::uint64_t readable_key = 1;  // RunRequest::readable_key
  int host_threads = 1;
  std::uint64_t output_limit = 1 << 20;
  DeviceProfile device;
  std::map<std::string, std::set<int>> name_lines;  // see RunRequest
  std::optional<std::map<int, int>> return_lines;   // likewise
  std::map<std::string, ArrayShape> arrays;

  /// Returns the module as text.
  std::string text() const;

  /// Loads and runs the module; if it does not load, the test fails.
  RunResult run();
  /// The same for sample_launch().
  std::optional<LaunchCounters> sample();

  template <class T>
  std::vector<T> contents(const std::string& name) {
    const std::span<std::byte> bytes = memory_.bytes(address(name));
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

  std::uint64_t address(const std::string& name) const { return addresses_.at(name); }

 private:
  struct Parameter {
    std::string name;
    std::string type;
    std::uint32_t element_bytes = 0;  // 0: a scalar
    Argument value;
  };

  std::shared_ptr<const Module> load() const;
  RunRequest request();

  std::string body_;
  std::string module_scope_;
  std::vector<Parameter> parameters_;
  std::map<std::string, std::uint64_t> addresses_;
  DeviceMemory memory_;
};

/// One use of an instruction: its operands and the expected result.
struct Row {
  std::vector<Bits> operands;
  Bits expected;
};

/// Types of the result and of the operands: b16, b32 or b64.
struct Types {
  std::string result;
  std::vector<std::string> operands;
};

/// Expects `body` to compute each row's result in %x from operands in %a, %b, %c, %d. Rows run side
/// by side, in full warps and with every second lane off (whose %x must not change).
void check(const Types& types, const std::string& body, const std::vector<Row>& rows);

/// Do the same with all types of one width.
void check16(const std::string& body, const std::vector<Row>& rows);
void check32(const std::string& body, const std::vector<Row>& rows);
void check64(const std::string& body, const std::vector<Row>& rows);

/// Returns what `body` computes in %x for each row of operands.
std::vector<std::uint64_t> evaluate(const Types& types, const std::string& body,
                                    const std::vector<std::vector<Bits>>& operands);

/// Returns what each thread of a launch leaves in %x (b32, poison before). The run must complete
/// without findings.
std::vector<std::uint32_t> lanes(const std::string& body, const std::string& module_scope = "",
                                 Dim3 block = {32, 1, 1}, Dim3 grid = {});

/// Fails the test unless the run completed without a finding.
void expect_clean(const RunResult& result);

/// Returns the status and all findings as text, for messages.
std::string describe(const RunResult& result);

/// Returns the only finding of a run. If there is not exactly one, the test fails and the result is
/// an empty finding.
Finding only_finding(const RunResult& result);

/// Returns the value of `key` in the finding's example, or "".
std::string example(const Finding& finding, std::string_view key);

}  // namespace tessera::test
