#include "grader/process/captured_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tessera {
namespace {

constexpr std::size_t kChunk = 65536;  // what a pipe holds
constexpr int kMostChunks = 64;        // an endless writer does not hold up the reader

}  // namespace

CapturedPipe::CapturedPipe(std::uint64_t most) : most_(most) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  read_end_ = ends[0];
  write_end_ = ends[1];
  fcntl(read_end_, F_SETFL, O_NONBLOCK);  // only for this end
}

CapturedPipe::~CapturedPipe() {
  close_write_end();
  if (read_end_ >= 0) close(read_end_);
}

void CapturedPipe::close_write_end() {
  if (write_end_ >= 0) close(std::exchange(write_end_, -1));
}

void CapturedPipe::take() {
  char chunk[kChunk];
  for (int i = 0; i < kMostChunks && read_end_ >= 0; ++i) {
    const ssize_t size = read(read_end_, chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;  // nothing there for now
    if (size == 0) {
      close(std::exchange(read_end_, -1));
      return;
    }
    const auto room = static_cast<std::size_t>(most_ - text_.size());
    const auto got = static_cast<std::size_t>(size);
    text_.append(chunk, std::min(got, room));
    has_overflown_ = has_overflown_ || got > room;
  }
}

}  // namespace tessera
