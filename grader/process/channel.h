// One end of a connection between two processes on this machine. A message is a string of bytes and
// may carry file descriptors of shared memory.
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
  /// The most descriptors in one message: a little fewer than Linux passes at once (253).
  static constexpr std::size_t kMostDescriptors = 250;

  /// Makes both ends; both are close-on-exec. Throws std::system_error.
  static std::pair<Channel, Channel> make_pair();

  /// Takes over the descriptor of a socket.
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_; }

  /// Called repeatedly while the other end keeps this one waiting; if it returns false, the message
  /// counts as not sent or not received. Without it, waits for ever.
  using Patience = std::function<bool()>;

  /// Sends one message; false if the other end is gone.
  bool send(std::string_view bytes, std::span<const int> descriptors = {},
            const Patience& patience = {});

  /// The next message; nothing if the other end is gone, or announces more than `most` bytes.
  /// The message's descriptors are added to `descriptors`, and the caller has to close them; if
  /// `descriptors` is null, they do not reach this process.
  std::optional<std::string> receive(std::uint64_t most, std::vector<int>* descriptors = nullptr,
                                     const Patience& patience = {});

 private:
  bool receive_exactly(std::span<char> bytes, std::vector<int>* descriptors,
                       const Patience& patience);
  bool wait_for(short events, const Patience& patience) const;

  int descriptor_ = -1;
};

}  // namespace tessera
