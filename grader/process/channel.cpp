#include "grader/process/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

using Control = std::array<char, CMSG_SPACE(sizeof(int) * Channel::kMostDescriptors)>;

void add_descriptors(msghdr& message, std::vector<int>& descriptors) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    const std::size_t before = descriptors.size();
    descriptors.resize(before + count);
    std::memcpy(&descriptors[before], CMSG_DATA(part), count * sizeof(int));
  }
}

}  // namespace

std::pair<Channel, Channel> Channel::make_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot connect two processes");
  return {Channel(ends[0]), Channel(ends[1])};
}

Channel::Channel(Channel&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {
}

Channel& Channel::operator=(Channel&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Channel::~Channel() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Channel::wait_for(short events, const Patience& patience) const {
  if (!patience) return true;
  constexpr int kMilliseconds = 20;
  pollfd end{descriptor_, events, 0};
  for (;;) {
    const int ready = poll(&end, 1, kMilliseconds);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (!patience()) return false;
  }
}

bool Channel::send(std::string_view bytes, std::span<const int> descriptors,
                   const Patience& patience) {
  if (descriptors.size() > kMostDescriptors)
    throw std::invalid_argument("more descriptors than one message can carry");
  std::uint64_t size = bytes.size();
  iovec parts[] = {{&size, sizeof size}, {const_cast<char*>(bytes.data()), bytes.size()}};
  alignas(cmsghdr) Control control{};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  // With patience, poll() does the waiting.
  const int flags = MSG_NOSIGNAL | (patience ? MSG_DONTWAIT : 0);
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    if (!wait_for(POLLOUT, patience)) return false;
    // A process that may only compute has no sendmsg().
    const iovec& first = parts[0].iov_len > 0 ? parts[0] : parts[1];
    ssize_t sent = message.msg_controllen > 0
                       ? sendmsg(descriptor_, &message, flags)
                       : ::send(descriptor_, first.iov_base, first.iov_len, flags);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return false;
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    for (iovec& part : parts) {
      const auto taken = std::min(part.iov_len, static_cast<std::size_t>(sent));
      part.iov_base = static_cast<char*>(part.iov_base) + taken;
      part.iov_len -= taken;
      sent -= static_cast<ssize_t>(taken);
    }
  }
  return true;
}

std::optional<std::string> Channel::receive(std::uint64_t most, std::vector<int>* descriptors,
                                            const Patience& patience) {
  std::uint64_t size = 0;
  if (!receive_exactly({reinterpret_cast<char*>(&size), sizeof size}, descriptors, patience))
    return std::nullopt;
  if (size > most) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_exactly(bytes, descriptors, patience)) return std::nullopt;
  return bytes;
}

bool Channel::receive_exactly(std::span<char> bytes, std::vector<int>* descriptors,
                              const Patience& patience) {
  while (!bytes.empty()) {
    if (!wait_for(POLLIN, patience)) return false;
    iovec part{bytes.data(), bytes.size()};
    alignas(cmsghdr) Control control;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptors != nullptr) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
    }
    const ssize_t got = recvmsg(descriptor_, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (descriptors != nullptr) add_descriptors(message, *descriptors);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace tessera
