#include "grader/gpu/worker/messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <system_error>

#include "grader/gpu/testing/gpu_buffers.h"
#include "grader/gpu/worker/shared_arena.h"
#include "grader/process/wire.h"

namespace tessera {
namespace {

TimingJob timing_job() {
  TimingJob job{.request = {}, .helpers = "helpers"};
  TimingRequest& request = job.request;
  request.device.index = 2;
  request.device.uuid = "GPU-of-the-grader";
  request.device.profile.name = "NVIDIA H200";
  request.candidate = GpuKernel{"module", "k", {{1, 2, 3}, {4, 5, 6}, 7}, {pointer_to(1)}, 50};
  request.baseline = CublasProduct{.m = 1, .n = 2, .k = 3};
  request.buffers = {input_buffer("A", {1, 2, 3}), output_buffer("C", 5)};
  request.variation = Variation::signs_int32;
  request.threshold = TimingThreshold{.full = 2, .zero = 1};
  request.seed = 99;
  return job;
}

TEST(GpuJobs, AreDecodedWithoutTheContentsOfTheirBuffers) {
  GpuJob job = decode_gpu_job(encode(timing_job()));
  const TimingRequest& request = std::get<TimingJob>(job).request;
  const auto& kernel = std::get<GpuKernel>(request.candidate);
  EXPECT_EQ(request.device.index, 2);
  EXPECT_EQ(request.device.profile.name, "NVIDIA H200");
  EXPECT_EQ(request.device.uuid, "") << "the worker does not need it";
  EXPECT_EQ(kernel.module, "module");
  EXPECT_EQ(kernel.shape.block.z, 6u);
  EXPECT_EQ(kernel.arguments.at(0).relocations.at(0).buffer, 1u);
  EXPECT_EQ(kernel.carveout, 50);
  EXPECT_EQ(std::get<CublasProduct>(*request.baseline).n, 2);
  EXPECT_EQ(request.buffers.at(0).contents, std::vector<std::byte>(12));
  EXPECT_FALSE(request.buffers.at(1).input);
  EXPECT_EQ(request.threshold->full, 2);
  EXPECT_EQ(request.seed, 99u);
  EXPECT_EQ(std::get<TimingJob>(job).helpers, "helpers");
  EXPECT_EQ(result_sizes(job), result_sizes(timing_job()));
}

TEST(GpuJobs, RunsAndTransfersAreDecoded) {
  GpuRun run;
  run.kernel = {"module", "k", {}, {pointer_to(0)}};
  run.buffers = {output_buffer("C", 4)};
  run.time_limit_ms = 5;
  const GpuJob runs = decode_gpu_job(encode(RunsJob{.device = {}, .runs = {run, run}}));
  EXPECT_EQ(std::get<RunsJob>(runs).runs.at(1).time_limit_ms, 5);
  TransferRequest request;
  request.memory = MemoryKind::advised;
  const GpuJob transfers = decode_gpu_job(encode(TransferJob{.request = request}));
  EXPECT_EQ(std::get<TransferJob>(transfers).request.memory, MemoryKind::advised);
}

TEST(GpuJobs, CutOffOrExtendedBytesAreRefused) {
  const std::string bytes = encode(timing_job());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(decode_gpu_job(bytes.substr(0, length)), wire::WireError) << length;
  EXPECT_THROW(decode_gpu_job(bytes + "x"), wire::WireError);
}

TEST(SharedArenas, BothSidesFindTheSamePieces) {
  const std::vector<std::uint64_t> sizes = {8, 0, SharedArena::kMostTogether, 300, 5};
  const SharedArena mine(sizes);
  std::vector<int> copies;
  for (const int descriptor : mine.descriptors()) copies.push_back(dup(descriptor));
  std::span<const int> rest = copies;
  const SharedArena its(sizes, rest);
  EXPECT_TRUE(rest.empty());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(its.piece(i).size(), sizes[i]);
    if (sizes[i] > 0) its.piece(i).back() = std::byte(i + 1);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    EXPECT_EQ(mine.piece(i).back(), std::byte(i + 1)) << i;
  }
}

TEST(SharedArenas, TooFewDescriptorsAreRefused) {
  std::span<const int> none;
  EXPECT_THROW(SharedArena({8}, none), std::system_error);
}

}  // namespace
}  // namespace tessera
