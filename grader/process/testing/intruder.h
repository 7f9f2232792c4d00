// Shared by the programs that stand in for a process under an attacker's control. The program's
// name is the deed, so a test starts it through a link of that name.
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/process/channel.h"

namespace tessera::test {

/// The deed of the program that was started by this path; "dies-once" only the first time.
inline std::string deed_of(const std::filesystem::path& program) {
  const std::string deed = program.filename();
  if (deed != "dies-once") return deed;
  const std::filesystem::path mark = program.string() + ".mark";
  const bool is_done = std::filesystem::exists(mark);
  std::ofstream(mark) << "x";
  return is_done ? "honest" : "dies";
}

/// Sends a message that claims `size` bytes and has `bytes`.
inline void send_raw(const Channel& channel, std::uint64_t size, const std::string& bytes) {
  (void)!write(channel.descriptor(), &size, sizeof size);
  (void)!write(channel.descriptor(), bytes.data(), bytes.size());
}

/// Does the deed if any process with a channel can do it in place of an answer.
inline void act(const std::string& deed, const Channel& channel) {
  if (deed == "dies") std::raise(SIGSEGV), _exit(11);
  if (deed == "leaves") _exit(0);
  if (deed == "claims-a-terabyte") send_raw(channel, std::uint64_t{1} << 40, "");
  if (deed == "stammers") send_raw(channel, 4096, std::string(4096, '\xff'));
  if (deed == "sleeps") pause(), usleep(1u << 30);
  if (deed == "half-a-message") send_raw(channel, 4096, "half"), usleep(1u << 30);
  if (deed == "spins") {
    volatile bool endless = true;
    while (endless) {
    }
  }
}

}  // namespace tessera::test
