// A compilers' server that somebody has broken into. What it does is the program's name, so that a
// test starts it by a link of that name.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/compile/server/server.h"

namespace tessera::test {
namespace {

constexpr char kNoSecret[] = "nothing of this reaches the grader";

void send_raw(const Channel& channel, std::uint64_t size, const std::string& bytes) {
  (void)!write(channel.descriptor(), &size, sizeof size);
  (void)!write(channel.descriptor(), bytes.data(), bytes.size());
}

/// What it answers where an honest server would say `reply`.
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
    if (deed == "dies" || deed == "dies-once") {
      (void)!write(descriptors.at(1), kNoSecret, sizeof kNoSecret);
      std::raise(SIGKILL);
    }
    if (deed == "leaves") _exit(0);
    if (deed == "claims-a-terabyte") send_raw(channel, std::uint64_t{1} << 40, "");
    if (deed == "stammers") send_raw(channel, 4096, std::string(4096, '\xff'));
    if (deed == "cut-short") send_raw(channel, 3, "abc");
    const CompilerReply reply =
        server.answer(decode_compiler_request(*bytes), descriptors, channel.descriptor());
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
  const std::filesystem::path self = words[0];
  std::string deed = self.filename();
  const std::filesystem::path mark = self.string() + ".mark";
  if (deed == "dies-once") {
    if (std::filesystem::exists(mark)) deed = "honest";
    std::ofstream(mark) << "x";
  }
  tessera::test::serve(deed, tessera::Channel(tessera::kCompilerDescriptor));
  _exit(0);
}
