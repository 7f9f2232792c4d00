// One end of a connection between two processes of this machine: messages of bytes, and with them
// descriptors of shared memory.
#pragma once

#include <cstdint>
#include <functional>
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

  /// Asked again and again while the other end keeps this one waiting; where it says no, the
  /// message counts as one that cannot be sent or has not come. None: waits for ever.
  using Patience = std::function<bool()>;

  /// Sends one message; false where the other end is gone.
  bool send(std::string_view bytes, std::span<const int> descriptors = {},
            const Patience& patience = {});

  /// The next message; nothing where the other end is gone, or says that it sends more than `most`
  /// bytes. Descriptors that come with it are added to `descriptors`, which then has to close them;
  /// without it they do not reach this process.
  std::optional<std::string> receive(std::uint64_t most, std::vector<int>* descriptors = nullptr,
                                     const Patience& patience = {});

 private:
  bool receive_exactly(std::span<char> bytes, std::vector<int>* descriptors,
                       const Patience& patience);
  bool wait_for(short events, const Patience& patience) const;

  int descriptor_ = -1;
};

}  // namespace tessera
