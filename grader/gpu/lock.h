// One job a card: two kernels that share a GPU tell nothing of each other's time.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/gpu/device.h"

namespace tessera {

/// The file whose lock stands for the card, for every user and process of the machine.
std::filesystem::path gpu_lock_file(const GpuDevice& device);

/// Makes the file where it is missing, without waiting for the card.
void make_gpu_lock_file(const GpuDevice& device);

/// Waits until the card is free, and holds it. Where the file cannot be had there is no waiting:
/// the clock watch between samples still tells a shared card.
class GpuLock {
 public:
  explicit GpuLock(const GpuDevice& device);
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  int file_;
};

/// The first of `devices`, at least one, that nobody holds; where all are held, the first.
const GpuDevice& free_gpu(const std::vector<GpuDevice>& devices);

}  // namespace tessera
