// An interpreter under an attacker's control: native code runs in it, under its confinement, and
// does what its name says (intruder.h).
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "grader/interpreter/interpreter.h"
#include "grader/interpreter/server.h"
#include "grader/interpreter/testing/forbidden_acts.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/testing/intruder.h"

namespace tessera::test {
namespace {

/// What is left of an honest result after the break-in.
void forge(const std::string& deed, RunResult& result) {
  const auto spoil = [&](double value) {
    for (auto& [name, counter] : result.metrics) counter = value;
  };
  Finding finding;
  if (deed == "counters-below-zero") spoil(-1);
  if (deed == "counters-no-number") spoil(std::numeric_limits<double>::quiet_NaN());
  if (deed == "counters-beyond-the-launch") spoil(1e18);
  if (deed == "counters-of-its-own") result.metrics[Metric::modelled_time_ms] = 0.001;
  if (deed == "counters-missing") result.metrics.clear();
  if (deed == "finding-of-the-judge") finding.kind = FindingKind::wrong_result;
  if (deed == "finding-in-no-line") finding.kind = FindingKind::race, finding.line = -1;
  if (deed == "finding-without-end")
    finding.kind = FindingKind::race, finding.message = std::string(1 << 20, 'x');
  if (deed == "finding-of-other-values")
    finding.kind = FindingKind::race,
    finding.message = Text(std::vector{Statement{Phrase::reads, {Name{"x"}}}});
  if (deed == "finding-without-its-words")
    finding.kind = FindingKind::race,
    finding.message = Text(std::vector{Statement{Phrase::verbatim, {Name{"x"}}}});
  if (deed == "finding-that-counts-nothing")
    finding.kind = FindingKind::race,
    finding.message = say(Phrase::has_bytes, Name{"x"}, Count{3, Phrase::reads});
  if (deed == "finding-of-many-values") {
    finding.kind = FindingKind::race;
    for (int i = 0; i < 60; ++i)
      finding.message += say(Phrase::has_bytes, Name{std::string(30 << 10, 'x')}, 1);
  }
  if (deed == "finding-among-long-ones") {
    finding.kind = FindingKind::race;
    for (int i = 0; i < 4; ++i) finding.hint += Text(std::string(30 << 10, 'x'));
    result.findings.assign(100, finding);
  }
  if (deed.starts_with("finding")) result.findings.push_back(finding);
  if (deed == "access-of-odd-width") {
    LineAccess access;
    access.line = 3;
    access.worst.width = 12;
    access.worst.offsets.assign(kWarpLanes, 0);
    result.lines = {access};
  }
  if (deed == "output-beyond-the-limit") result.output = std::string(1 << 20, 'x');
}

class BrokenInterpreter {
 public:
  BrokenInterpreter(std::string deed, Channel channel)
      : deed_(std::move(deed)), channel_(std::move(channel)) {}

  void serve() {
    channel_.send(encode(ReadyReply{}));
    for (;;) {
      std::vector<int> descriptors;
      const auto bytes = channel_.receive(kMostRequestBytes, &descriptors);
      if (!bytes) return;
      Request request = decode_request(*bytes);
      const bool loads = std::holds_alternative<LoadMessage>(request);
      if (!loads) interfere();
      if (!loads && deed_ == "zeroes-inputs")
        zero_inputs(std::get<RunMessage>(request), descriptors);
      std::string reply = server_.answer(std::move(request), descriptors);
      if (!loads) reply = forged(reply);
      if (loads && deed_ == "fails-to-load") reply = encode(LoadReply(FailedReply{"no memory"}));
      if (!loads && deed_ == "fails-to-run") reply = encode(RunReply(FailedReply{"no memory"}));
      channel_.send(reply);
      if (deed_ == "says-all-twice") channel_.send(reply);
    }
  }

 private:
  /// Pages that are only read have no memory of their own, but a place in the kernel's tables.
  static bool maps_without_end() {
    constexpr std::size_t kTebibyte = std::size_t{1} << 40;
    return mmap(nullptr, kTebibyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                0) != MAP_FAILED;
  }

  void interfere() {
    if (deed_ == "acts") {
      std::string all;
      for (const std::string& name : forbidden_acts_that_work("/etc/passwd")) all += " " + name;
      if (maps_without_end()) all += " maps memory without end";
      if (!all.empty()) channel_.send(encode(RunReply(FailedReply{"it could:" + all})));
    }
    act(deed_, channel_);
  }

  static void zero_inputs(const RunMessage& message, const std::vector<int>& descriptors) {
    for (std::size_t i = 0; i < message.buffers.size() && i < descriptors.size(); ++i) {
      if (!message.buffers[i].info.input) continue;
      const std::string zeroes(message.buffers[i].size, '\0');
      (void)!pwrite_all(descriptors[i], zeroes);
    }
  }

  /// pwrite is not among what it may call: lseek and write are.
  static bool pwrite_all(int descriptor, std::string_view bytes) {
    lseek(descriptor, 0, SEEK_SET);
    return write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }

  std::string forged(const std::string& bytes) const {
    RunReply reply = decode_run_reply(bytes);
    auto* result = std::get_if<RunResult>(&reply);
    if (result == nullptr) return bytes;
    forge(deed_, *result);
    return encode(reply);
  }

  std::string deed_;
  Channel channel_;
  InterpreterServer server_;
};

}  // namespace
}  // namespace tessera::test

int main(int, char** words) {
  std::string deed = tessera::test::deed_of(words[0]);
  tessera::Channel channel(tessera::kChannelDescriptor);
  if (!tessera::enter_confinement(channel, 1)) return 2;
  tessera::test::BrokenInterpreter(std::move(deed), std::move(channel)).serve();
  _exit(0);
}
