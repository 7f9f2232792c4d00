// A compiler server that was broken into; the name by which it is started says what it does
// (intruder.h).
#include <unistd.h>

#include <string>

#include "grader/compile/server/server.h"
#include "grader/process/spawn_on_channel.h"
#include "grader/process/testing/intruder.h"

namespace tessera::test {
namespace {

/// Whether the task is that of the source that this server works for.
bool is_of_a_friend(int task) {
  std::string text(1 << 16, '\0');
  const ssize_t size = pread(task, text.data(), text.size(), 0);
  return size > 0 && text.substr(0, static_cast<std::size_t>(size)).find("friend") != text.npos;
}

constexpr char kNoSecret[] = "nothing of this reaches the grader";

/// The forged reply in place of the honest `reply`.
CompilerReply forged(const std::string& deed, CompilerReply reply) {
  if (deed == "version-of-its-own") reply.version = kCompilerVersion + 1;
  if (deed == "name-without-end") reply.library = std::string(1 << 12, 'x');
  if (deed == "name-that-acts") reply.library = "\x1b[2J";
  if (deed == "status-of-no-process") reply.status = -7;
  return reply;
}

void serve(const std::string& deed, Channel channel) {
  CompilerServer server;
  for (;;) {
    std::vector<int> descriptors;
    const auto bytes = channel.receive(kMostCompilerMessageBytes, &descriptors);
    if (!bytes) return;
    if (deed == "dies") (void)!write(descriptors.at(1), kNoSecret, sizeof kNoSecret);
    act(deed, channel);
    if (deed == "cut-short") send_raw(channel, 3, "abc");
    CompilerReply reply =
        server.answer(decode_compiler_request(*bytes), descriptors, channel.descriptor());
    if (deed == "fails-for-a-friend" && is_of_a_friend(descriptors.at(0)))
      reply.failure = "this machine is at fault";
    if (deed == "writes-a-terabyte")
      (void)!ftruncate(descriptors.at(1), off_t{1} << 40),
          (void)!ftruncate(descriptors.at(2), 1 << 30);
    channel.send(encode(forged(deed, reply)));
    for (const int descriptor : descriptors) close(descriptor);
  }
}

}  // namespace
}  // namespace tessera::test

int main(int, char** words) {
  tessera::test::serve(tessera::test::deed_of(words[0]),
                       tessera::Channel(tessera::kChannelDescriptor));
  _exit(0);
}
