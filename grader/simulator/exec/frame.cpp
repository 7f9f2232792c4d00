#include "grader/simulator/exec/frame.h"

#include <algorithm>

#include "common/mixed.h"
#include "grader/simulator/check/memory.h"

namespace tessera::sim {

void Frame::enter(const Function& callee, Frame* from, const Inst* at, std::uint32_t poison) {
  function = &callee;
  caller = from;
  call = at;
  constexpr std::size_t kAlign = 64;
  // Nothing of an earlier call or block is left, or results would depend on what ran before. The
  // poison is not 0: a register that was never set must not look like a sum that begins at 0.
  storage.resize(callee.register_bytes + kAlign);
  fill_with_poison(storage, poison);
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  registers = storage.data() + (kAlign - address % kAlign) % kAlign;
  predicates.assign(callee.predicates, static_cast<Mask>(mixed(poison)));
  predicates[0] = kAllLanes;
  parameters.resize(std::size_t{callee.parameter_bytes} * kLanes);
  fill_with_poison(parameters, poison);
  local_base = from != nullptr ? from->local_base_of(callee) : 0;
  saved_bytes = from != nullptr ? from->saved_bytes + from->function->least_frame_bytes : 0;
  depth = from != nullptr ? from->depth + 1 : 0;
}

std::uint64_t Frame::local_base_of(const Function& callee) const {
  return round_up(local_base + function->local_bytes, callee.local_align);
}

std::uint64_t Frame::bytes() const {
  return storage.capacity() + predicates.capacity() * sizeof(Mask) + parameters.capacity();
}

std::uint64_t Frame::bytes_of(const Function& callee) {
  return callee.register_bytes + callee.predicates * sizeof(Mask) +
         std::uint64_t{callee.parameter_bytes} * kLanes;
}

void CallFrames::share_among(std::size_t workers) {
  constexpr std::uint64_t kLeastBytes = kMostBytes / 8;
  most_bytes_ = std::max(kMostBytes / workers, kLeastBytes);
}

Frame* CallFrames::take() {
  if (free_.empty()) {
    frames_.push_back(std::make_unique<Frame>());
    return frames_.back().get();
  }
  Frame* frame = free_.back();
  free_.pop_back();
  return frame;
}

void CallFrames::give_all() {
  free_.clear();
  for (const auto& frame : frames_) free_.push_back(frame.get());
}

bool CallFrames::has_room(const Frame& frame, const Function& callee) const {
  return bytes_ - frame.bytes() + Frame::bytes_of(callee) <= most_bytes_;
}

void CallFrames::enter(Frame& frame, const Function& callee, Frame* from, const Inst* at,
                       std::uint32_t poison) {
  const std::uint64_t before = frame.bytes();
  frame.enter(callee, from, at, poison);
  bytes_ += frame.bytes() - before;
}

}  // namespace tessera::sim
