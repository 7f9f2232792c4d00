// One job per card: the times of two kernels that share a GPU mean nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/gpu/device.h"

namespace tessera {

/// The file whose lock stands for the card, for every user and process of the machine.
std::filesystem::path gpu_lock_file(const GpuDevice& device);

/// Makes the file if it is missing, without waiting for the card.
void make_gpu_lock_file(const GpuDevice& device);

/// Waits until the card is free, and holds it. If the file cannot be opened there is no waiting:
/// the clock watch between samples still detects a shared card.
class GpuLock {
 public:
  explicit GpuLock(const GpuDevice& device);
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  int file_;
};

/// The first of `devices` (at least one) that no process holds; the first of all if all are held.
const GpuDevice& free_gpu(const std::vector<GpuDevice>& devices);

}  // namespace tessera
