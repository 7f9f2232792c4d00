// One end of a connection between two processes of this machine: messages of bytes, and with them
// descriptors of shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

class Channel {
 public:
  /// Descriptors of a message, at most: what the kernel passes at once, and some to spare.
  static constexpr std::size_t kMostDescriptors = 250;

  /// Both ends, which exec closes. Throws std::system_error.
  static std::pair<Channel, Channel> make_pair();

  /// Takes over the descriptor of a socket.
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_; }

  /// Sends one message; false where the other end is gone.
  bool send(std::string_view bytes, std::span<const int> descriptors = {});

  /// The next message; nothing where the other end is gone, or says that it sends more than `most`
  /// bytes. Descriptors that come with it are added to `descriptors`, which then has to close them;
  /// without it they do not reach this process.
  std::optional<std::string> receive(std::uint64_t most, std::vector<int>* descriptors = nullptr);

 private:
  bool receive_exactly(std::span<char> bytes, std::vector<int>* descriptors);

  int descriptor_ = -1;
};

}  // namespace tessera
