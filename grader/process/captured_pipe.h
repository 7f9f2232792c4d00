// A pipe whose reading end is emptied as it fills, and whose content is kept up to a limit.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

class CapturedPipe {
 public:
  /// Keeps the first `most` bytes. is_open() tells whether there was a pipe to be had.
  explicit CapturedPipe(std::uint64_t most);
  CapturedPipe(const CapturedPipe&) = delete;
  CapturedPipe& operator=(const CapturedPipe&) = delete;
  ~CapturedPipe();

  bool is_open() const { return write_end_ >= 0; }
  int write_end() const { return write_end_; }
  void close_write_end();

  /// For poll; -1 after the last writer is gone.
  int read_end() const { return read_end_; }

  /// Takes what is there, without waiting, at most a pipe's worth many times over.
  void take();

  const std::string& text() const { return text_; }
  bool has_overflown() const { return has_overflown_; }

 private:
  std::uint64_t most_;
  int read_end_ = -1;
  int write_end_ = -1;
  std::string text_;
  bool has_overflown_ = false;
};

}  // namespace tessera
