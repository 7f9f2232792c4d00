// A pipe that is emptied as it fills, and whose content is kept up to a limit.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

class CapturedPipe {
 public:
  /// Keeps the first `most` bytes. If there was no pipe to be had, is_open() is false.
  explicit CapturedPipe(std::uint64_t most);
  CapturedPipe(const CapturedPipe&) = delete;
  CapturedPipe& operator=(const CapturedPipe&) = delete;
  ~CapturedPipe();

  bool is_open() const { return write_end_ >= 0; }
  int write_end() const { return write_end_; }
  void close_write_end();

  /// For poll; -1 after the last writer is gone.
  int read_end() const { return read_end_; }

  /// Reads what is there without waiting, up to a limit far above what a pipe holds.
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
