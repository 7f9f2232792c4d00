// Kernels whose threads communicate without barriers: those that are right only in one order of the
// warps lose, those that wait for what they need pass.
#include <gmock/gmock.h>

#include "grader/judge/testing/cheat_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kDifferenceLab = R"(title: Adjacent difference
operation: adjacent_difference
element: int32
kernel: adjacent_difference
arguments: [input.data, result.data, n]
correctness:
  points: 30
  cases:
    - {n: 1000, data: integers}
    - {n: 2048, data: index}
checks:
  points: 10
  forbid: [out-of-bounds, misaligned, race, uninitialized-read, divergent-barrier, barrier-deadlock]
)";

/// result[i] = input[i] - input[i - 1] by blocks of 256 threads around `body`, which can use `t`
/// and `i`; most bodies end with kFromTile.
std::string difference_kernel(const std::string& body, const std::string& before = "") {
  return "#include <tessera/lab.cuh>\nconstexpr int BLOCK = 256;\n" + before + R"(
__global__ void adjacent_difference(const int* input, int* result, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
)" + body +
         R"(
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0}; }
)";
}

constexpr const char* kFromTile = R"(
  if (i < n) {
    int left = 0;
    if (t > 0) left = tile[t - 1];
    else if (i > 0) left = input[i - 1];
    result[i] = tile[t] - left;
  }
)";

class OrderCheats : public CheatTest {
 protected:
  Record grade_difference(const std::string& body, const std::string& before = "") {
    return grade_lab(kDifferenceLab, difference_kernel(body + kFromTile, before));
  }

  /// No case is won, and the messages blame the order of the warps.
  static void expect_lost(const Record& record) {
    EXPECT_EQ(record.score, 0) << summary(record);
    for (const Item& item : record.items) {
      if (!item.id.starts_with("correctness/")) continue;
      EXPECT_EQ(item.status, Status::fail) << summary(record);
      EXPECT_THAT(item.message, HasSubstr("not the other way round")) << item.id;
    }
  }

  /// Whether the checks report that warps which call `barrier` in two branches meet at different
  /// barriers.
  bool branches_diverge(const std::string& barrier) {
    const Record record = grade_difference(
        "  __shared__ int tile[BLOCK];\n  if (i < n) tile[t] = input[i];\n"
        "  if (t / 32 % 2 == 0) { " +
            barrier + "; if (n < 0) result[0] = tile[t ^ 32]; }\n  else { " + barrier +
            "; if (n < 0) result[1] = 3 * tile[t ^ 32]; }\n",
        "__device__ __forceinline__ void sync() { __syncthreads(); }\n");
    return found(item_called(record, "checks"), FindingKind::divergent_barrier);
  }

  static void expect_lost_in_some_order(const Record& record) {
    EXPECT_EQ(record.score, 0) << summary(record);
    EXPECT_THAT(item_called(record, "correctness/1").message, HasSubstr("right if warps run"));
  }

  static std::string reason_of_loss(const Record& record) {
    EXPECT_LE(record.score, 20) << summary(record);  // a small case may be right by chance
    const auto lost = std::ranges::find_if(
        record.items, [](const Item& item) { return item.status == Status::fail; });
    return lost == record.items.end() ? "" : lost->message;
  }

  static void expect_won(const Record& record) {
    EXPECT_EQ(record.score, 40) << summary(record);
    for (const Item& item : record.items) EXPECT_TRUE(item.findings.empty()) << summary(record);
  }

  /// Every case is right, but a person has to judge whether the kernel's flags are enough.
  static void expect_right(const Record& record) {
    EXPECT_EQ(record.score, 30) << summary(record);
    EXPECT_EQ(item_called(record, "checks").status, Status::review);
    for (const Item& item : record.items) EXPECT_TRUE(item.findings.empty()) << summary(record);
  }
};

TEST_F(OrderCheats, VolatileInPlaceOfABarrierLoses) {
  expect_lost(grade_difference(R"(
  __shared__ volatile int tile[BLOCK];
  if (i < n) tile[t] = input[i];
  __syncwarp();  // no __syncthreads(): warp 1 may read tile[31] before warp 0 has stored it
)"));
}

TEST_F(OrderCheats, AFlagThatNoThreadWaitsForLoses) {
  const Record record = grade_difference(R"(
  __shared__ int tile[BLOCK];
  __shared__ int flag;
  if (i < n) tile[t] = input[i];
  __threadfence_block();
  atomicExch(&flag, 1);  // no thread waits for it
)");
  EXPECT_EQ(record.score, 0) << summary(record);
}

constexpr const char* kDelayedProduct = R"(#include <tessera/lab.cuh>
constexpr int TILE = 16;
// No __syncthreads(): the threads just wait for a while, and hope that the others are done.
__device__ void hope() {
  __syncwarp();
#pragma unroll 1
  for (int i = 0; i < DELAY; ++i) asm volatile("");
  __syncwarp();
}
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ volatile float As[TILE][TILE];
  __shared__ volatile float Bs[TILE][TILE];
  const int row = threadIdx.y, col = threadIdx.x;
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  float sum = 0.0f;
  for (int start = 0; start < A.width; start += TILE) {
    As[row][col] = A(first_row + row, start + col);
    Bs[row][col] = B(start + row, first_col + col);
    hope();
    for (int p = 0; p < TILE; ++p) sum += As[row][p] * Bs[p][col];
    hope();
  }
  C(first_row + row, first_col + col) = sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
)";

TEST_F(OrderCheats, ADelayInPlaceOfABarrierLoses) {
  expect_lost(grade_lab(kProductLab, std::string("#define DELAY 6000\n") + kDelayedProduct));
}

TEST_F(OrderCheats, BarriersWithVolatileAreRight) {
  expect_right(grade_difference(R"(
  __shared__ volatile int tile[BLOCK];
  if (i < n) tile[t] = input[i];
  __syncthreads();
)"));
}

TEST_F(OrderCheats, AVolatileVariableOfOneThreadIsNoFlag) {
  expect_won(grade_difference(R"(
  __shared__ int tile[BLOCK];
  volatile int own = 0;
  if (i < n) tile[t] = input[i] + own;
  __syncthreads();
)"));
}

TEST_F(OrderCheats, ASpinLockIsRight) {
  // Under the lock the warps store their parts one after the other, and count themselves.
  expect_right(grade_difference(R"(
  __shared__ int tile[BLOCK];
  __shared__ int lock, stored;
  if (t == 0) { lock = 0; stored = 0; }
  __syncthreads();
  if (i < n) tile[t] = input[i];
  __syncwarp();
  if (t % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence_block();
    stored += 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (stored != BLOCK / 32) return;
)"));
}

TEST_F(OrderCheats, FlagsThatAreWaitedForAreRight) {
  // Each warp waits for the one before it, or for the one behind it too.
  const std::string flags = R"(
  __shared__ int tile[BLOCK];
  __shared__ volatile int ready[BLOCK / 32];
  const int warp = t / 32;
  if (t < BLOCK / 32) ready[t] = 0;
  __syncthreads();
  if (i < n) tile[t] = input[i];
  __threadfence_block();
  __syncwarp();
  if (t % 32 == 0) {
    ready[warp] = 1;
    while (warp > 0 && ready[warp - 1] == 0) {}
    BEHIND
    __threadfence_block();
  }
  __syncwarp();
)";
  for (const std::string behind :
       {"", "while (warp < BLOCK / 32 - 1 && ready[warp + 1] == 0) {}"}) {
    std::string body = flags;
    body.replace(body.find("BEHIND"), 6, behind);
    expect_right(grade_difference(body));
  }
}

TEST_F(OrderCheats, AnOrderWithoutAnEndLeavesTheCaseToAPerson) {
  // It ends only if warp 0 comes first; else the warps wait for ever.
  std::string lab = kDifferenceLab;
  const std::string second = "    - {n: 2048, data: index}\n";
  lab.erase(lab.find(second), second.size());
  const Record record = grade_lab(lab, difference_kernel(std::string(R"(
  __shared__ int tile[BLOCK];
  __shared__ int ticket;
  __shared__ volatile int never;
  if (t == 0) ticket = never = 0;
  if (i < n) tile[t] = input[i];
  __syncthreads();
  if (t % 32 == 0 && atomicAdd(&ticket, 1) != t / 32) {
    while (never == 0) {}
  }
  __syncwarp();
)") + kFromTile));
  EXPECT_EQ(record.score, 0) << summary(record);
  EXPECT_EQ(item_called(record, "correctness/1").status, Status::review) << summary(record);
  EXPECT_THAT(item_called(record, "correctness/1").message, HasSubstr("not the other way round"));
}

TEST_F(OrderCheats, WarpsThatWaitForEachOtherOftenAreRight) {
  std::string lab = kDifferenceLab;
  const std::string small = "n: 1000";
  lab.replace(lab.find(small), small.size(), "n: 65536");
  const Record record = grade_lab(lab, difference_kernel(std::string(R"(
  __shared__ int tile[BLOCK];
  __shared__ volatile int turn, done;
  const int warp = t / 32, last = 3;
  if (t == 0) turn = done = 0;
  __syncthreads();
  if (i < n) tile[t] = input[i];
  if (n > 50000 && blockIdx.x == 0) {
    for (int round = 0; round < 64 && (warp == 0 || warp == last); ++round) {
      const int mine = 2 * round + (warp == last);
      while (turn != mine) {}
      __syncwarp();
      __threadfence_block();
      if (t % 32 == 0) turn = mine + 1;
      __syncwarp();
    }
    if (t == 32 * last) done = 1;
    while (warp > 0 && warp < last && done == 0) {}
  }
  __syncthreads();
)") + kFromTile));
  expect_right(record);
}

TEST_F(OrderCheats, FlagsThatAreWaitedForAreRightInLargeBlocksToo) {
  // Each of 32 warps waits for its left neighbour: few work, most spin.
  std::string source = difference_kernel(std::string(R"(
  __shared__ int tile[BLOCK];
  __shared__ volatile int ready[BLOCK / 32];
  const int warp = t / 32;
  if (t < BLOCK / 32) ready[t] = 0;
  __syncthreads();
  if (i < n) tile[t] = input[i];
  __syncwarp();
  if (t % 32 == 0) {
    while (warp > 0 && ready[warp - 1] == 0) {}
    __threadfence_block();
    ready[warp] = 1;
    while (ready[BLOCK / 32 - 1] == 0) {}
    __threadfence_block();
  }
  __syncwarp();
)") + kFromTile);
  source.replace(source.find("BLOCK = 256"), 11, "BLOCK = 1024");
  expect_right(grade_lab(kDifferenceLab, source));
}

TEST_F(OrderCheats, TheLastBlockThatIsDoneIsRight) {
  // All blocks leave their differences in `partial`; the last one that is done copies them.
  expect_right(grade_lab(kDifferenceLab, difference_kernel(R"(
  __shared__ bool last;
  if (i < n) partial[i] = input[i] - (i > 0 ? input[i - 1] : 0);
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (int at = t; at < n; at += BLOCK) result[at] = partial[at];
)",
                                                           "__device__ int partial[2048];\n"
                                                           "__device__ unsigned int done;\n")));
}

TEST_F(OrderCheats, SumsByAtomicsWin) {
  expect_won(grade_difference(R"(
  __shared__ int tile[BLOCK];
  tile[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&tile[t], input[i]);
  if (i < n && t > 0) atomicAdd(&tile[t - 1], 0);
  __syncthreads();
)"));
}

/// Right only if the heap gives the first warp the lower address.
constexpr const char* kByTheHeap = R"(
  __shared__ int tile[BLOCK];
  __shared__ unsigned long long first, second;
  if (t == 0 || t == 32) {
    void* mine = malloc(16);
    (t == 0 ? first : second) = reinterpret_cast<unsigned long long>(mine);
  }
  if (i < n) tile[t] = input[i];
  __syncthreads();
  if (first > second) return;
)";

TEST_F(OrderCheats, WhoWaitsByTheClockLoses) {
  expect_lost(grade_difference(R"(
  __shared__ int tile[BLOCK];
  if (i < n) tile[t] = input[i];
  const long long start = clock64();
  while (clock64() - start < 40000) {}
)"));
}

TEST_F(OrderCheats, NoDelayIsLongEnough) {
  // The first delay is longer than any turn (131,072), and nearly as long as a warp may run.
  for (const char* delay :
       {"  const long long start = clock64();\n  while (clock64() - start < 133000) {}\n",
        "  for (int d = 0; d < 20000; ++d) asm volatile(\"\");\n"}) {
    expect_lost_in_some_order(grade_difference(
        std::string("  __shared__ volatile int tile[BLOCK];\n  if (i < n) tile[t] = input[i];\n") +
        delay));
    // The same behind a barrier.
    expect_lost_in_some_order(
        grade_difference(std::string("  __shared__ volatile int tile[BLOCK];\n  __syncthreads();\n"
                                     "  if (i < n) tile[t] = input[i];\n") +
                         delay));
  }
}

TEST_F(OrderCheats, LanesThatCountWhoRunsWithThemLose) {
  // Finds the left neighbour's element, bit by bit: lanes whose bits are equal see each other.
  const Record record = grade_lab(kDifferenceLab, difference_kernel(R"(
  const unsigned lane = t % 32;
  const int own = i < n ? input[i] : 0;
  unsigned left = 0;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned set = 0;
    if (own >> bit & 1) {
      set = __activemask();
    } else {
      set = ~__activemask();
    }
    left |= (set >> (lane + 31) % 32 & 1) << bit;
  }
  if (lane == 0) left = i > 0 && i <= n ? input[i - 1] : 0;
  if (i < n) result[i] = own - int(left);
)"));
  EXPECT_THAT(reason_of_loss(record), HasSubstr("but not if they run one by one"));
}

TEST_F(OrderCheats, TheHeapRevealsWhichWarpCameFirst) {
  expect_lost(grade_difference(kByTheHeap));
}

TEST_F(OrderCheats, ARunInTheOtherOrderStartsFromFreshInputsAndOutputs) {
  // It updates its output in place by atomics: what the first run left there would count twice.
  const Record record = grade_lab(kDifferenceLab, difference_kernel(R"(
  if (i >= n) return;
  result[i] = 0;
  atomicAdd(&result[i], input[i]);
  if (i > 0) atomicSub(&result[i], input[i - 1]);
)"));
  expect_won(record);
  // So does a variable of the module, except in a second launch.
  const std::string only_once = R"(
  if (i >= n) return;
  if (atomicAdd(&runs[i], 1) == 0) result[i] = input[i] - (i > 0 ? input[i - 1] : 0);
)";
  EXPECT_THAT(reason_of_loss(grade_lab(
                  kDifferenceLab, difference_kernel(only_once, "__device__ int runs[2048];\n"))),
              HasSubstr("not in the second"));
}

TEST_F(OrderCheats, TheCountersAreThoseOfTheFirstRun) {
  const std::string lab = std::string(kDifferenceLab) +
                          "technique:\n  - {metric: global_load_requests, at_most: 1000000, "
                          "points: 10}\n  - {metric: results_through_shared, at_least: 5, points: "
                          "10}\n";
  const auto metrics = [&](const std::string& word) {
    const Record record = grade_lab(lab, difference_kernel("  __shared__ " + word +
                                                           " int tile[BLOCK];\n"
                                                           "  if (i < n) tile[t] = input[i];\n"
                                                           "  __syncthreads();\n" +
                                                           kFromTile));
    EXPECT_EQ(item_called(record, "technique/2").status, Status::pass) << summary(record);
    std::vector<Metrics> all;
    for (const Item& item : record.items) all.push_back(item.metrics);
    return all;
  };
  const auto plain = metrics(""), talking = metrics("volatile");
  EXPECT_EQ(plain.back(), talking.back());
}

TEST_F(OrderCheats, ADelayOfTheWarpThatComesSecondLoses) {
  // The warp that comes first fills the tile; the other waits for nothing.
  const Record record = grade_lab(kDifferenceLab, R"(#include <tessera/lab.cuh>
constexpr int PER = 64;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[PER + 32];
  __shared__ int ticket, flag, who[2];
  if (threadIdx.x == 0) ticket = flag = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) who[warp] = atomicAdd(&ticket, 1);
  __syncwarp();
  const int first = blockIdx.x * PER;
  if (who[warp] == 0) {
    for (int e = lane; e <= PER; e += 32) {
      const int i = first - 1 + e;
      tile[e] = i >= 0 && i < n ? input[i] : 0;
    }
    __threadfence_block();
    __syncwarp();
    if (lane == 0) atomicExch(&flag, 1);
  } else {
#pragma unroll 1
    for (int d = 0; d < 100; ++d) asm volatile("");
    if (lane == 0) atomicAdd(&flag, 0);
    __syncwarp();
    for (int e = lane; e < PER; e += 32) {
      const int i = first + e;
      if (i < n) result[i] = i == 0 ? tile[1] : tile[e + 1] - tile[e];
    }
  }
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, PER)), dim3(64), 0}; }
)");
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::race)) << summary(record);
}

TEST_F(OrderCheats, LanesThatDoNotWaitForEachOtherLose) {
  const auto graded = [&](const std::string& sync) {
    return grade_lab(kDifferenceLab, difference_kernel(R"(
  __shared__ int tile[BLOCK];
  if (i < n) atomicExch(&tile[t], input[i]);
  )" + sync + R"(
  if (i < n) {
    int left = 0;
    if (t % 32 > 0) left = atomicOr(&tile[t - 1], 0);
    else if (i > 0) left = input[i - 1];
    result[i] = atomicOr(&tile[t], 0) - left;
  })"));
  };
  const Record without = graded("");
  EXPECT_EQ(without.score, 0) << summary(without);
  EXPECT_THAT(item_called(without, "correctness/1").message,
              HasSubstr("not if they run one by one"));
  expect_won(graded("__syncwarp();"));
}

TEST_F(OrderCheats, LanesThatReadWhatHigherLanesStoreWaitForThem) {
  const auto graded = [&](const std::string& sync) {
    return grade_lab(kDifferenceLab, difference_kernel(R"(
  __shared__ int tile[BLOCK];
  const int element = (blockIdx.x + 1) * BLOCK - 1 - t;
  const int own = element < n ? input[element] : 0;
  atomicExch(&tile[t], own);
  )" + sync + R"(
  int left = 0;
  if (t % 32 < 31) left = atomicOr(&tile[t + 1], 0);
  else if (element > 0 && element <= n) left = input[element - 1];
  if (element < n) result[element] = own - left;
)"));
  };
  const Record without = graded("");
  EXPECT_EQ(without.score, 0) << summary(without);
  EXPECT_THAT(item_called(without, "correctness/1").message,
              HasSubstr("not if they run one by one"));
  expect_won(graded("__syncwarp();"));
}

/// A kernel in which thread 0 of each block takes the number of the block's work by `take`, which
/// sets `block`.
std::string numbered_kernel(const std::string& variables, const std::string& take) {
  return "#include <tessera/lab.cuh>\nconstexpr int BLOCK = 256;\n" + variables + R"(
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ unsigned block;
  if (threadIdx.x == 0) {
    )" + take +
         R"(
  }
  __syncthreads();
  const int i = block * BLOCK + threadIdx.x;
  if (i < n) result[i] = input[i] - (i > 0 ? input[i - 1] : 0);
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0}; }
)";
}

TEST_F(OrderCheats, BlocksThatCountWithoutAtomicsLose) {
  const auto graded = [&](const std::string& next) {
    return grade_lab(
        kDifferenceLab,
        numbered_kernel(
            "__device__ unsigned counter;",
            "block = " + next + ";\n    if (block == gridDim.x - 1) atomicExch(&counter, 0);"));
  };
  EXPECT_THAT(reason_of_loss(graded("((volatile unsigned&)counter)++")),
              HasSubstr("not if they run at the same time"));
  expect_won(graded("atomicAdd(&counter, 1)"));
}

TEST_F(OrderCheats, BlocksThatTakeALockInTwoStepsLose) {
  const auto graded = [&](const std::string& take) {
    return grade_lab(
        kDifferenceLab,
        numbered_kernel("__device__ int lock;\n__device__ volatile unsigned counter;", take + R"(
    __threadfence();
    block = counter;
    counter = block + 1 == gridDim.x ? 0 : block + 1;
    __threadfence();
    atomicExch(&lock, 0);)"));
  };
  EXPECT_THAT(reason_of_loss(graded("while (*(volatile int*)&lock != 0) {} "
                                    "*(volatile int*)&lock = 1;")),
              HasSubstr("not if they run at the same time"));
  expect_right(graded("while (atomicCAS(&lock, 0, 1) != 0) {}"));
}

/// A kernel that takes the number by a load, a sum and a store of a volatile word, after delays
/// that differ.
std::string counted_kernel(const std::string& after) {
  return numbered_kernel("__device__ volatile unsigned counter;\n__device__ int taking;", R"(
#pragma unroll 1
    for (int d = 0; d < int(blockIdx.x % 8) * 40; ++d) asm volatile("");
    const bool alone = atomicAdd(&taking, 1) == 0;
    block = counter;
    counter = block + 1 == gridDim.x ? 0 : block + 1;
    atomicSub(&taking, 1);
    )" + after);
}

TEST_F(OrderCheats, AKernelThatDoesNotEndIfBlocksRunAtTheSameTimeDoesNotWin) {
  reason_of_loss(grade_lab(kDifferenceLab, counted_kernel("")));
  const Record traps = grade_lab(kDifferenceLab, counted_kernel("if (!alone) __trap();"));
  EXPECT_EQ(traps.score, 0) << summary(traps);
  const Record hangs = grade_lab(kDifferenceLab, counted_kernel("while (!alone) {}"));
  EXPECT_EQ(hangs.score, 0) << summary(hangs);
  EXPECT_EQ(hangs.items.front().status, Status::review) << summary(hangs);
  const Record heap = grade_lab(kDifferenceLab, counted_kernel("if (n < 0) free(malloc(8));"));
  EXPECT_THAT(reason_of_loss(heap), HasSubstr("not if they run at the same time"));
}

TEST_F(OrderCheats, WhatASecondLaunchDoesWrongIsReported) {
  const auto graded = [&](const std::string& again) {
    return grade_lab(kDifferenceLab,
                     difference_kernel("  if (i < n) result[i] = input[i] - (i > 0 ? "
                                       "input[i - 1] : 0);\n"
                                       "  if (runs[i] > 0) { " +
                                           again + " }\n  runs[i] = 1;\n",
                                       "__device__ int runs[2048];\n"));
  };
  EXPECT_EQ(graded("__trap();").score, 0);
  EXPECT_TRUE(
      found(item_called(graded("result[n + t] = 0;"), "checks"), FindingKind::out_of_bounds));
}

TEST_F(OrderCheats, ResultsOfTheFirstLaunchAreWrongInTheSecond) {
  const auto graded = [&](const std::string& condition) {
    return grade_lab(kDifferenceLab,
                     difference_kernel("  if (i >= n) return;\n"
                                       "  if (" +
                                           condition +
                                           ") kept[i] = input[i] - (i > 0 ? input[i - 1] : 0);\n"
                                           "  result[i] = kept[i];\n  ran[i] = true;\n",
                                       "__device__ int kept[2048];\n"
                                       "__device__ bool ran[2048];\n"));
  };
  EXPECT_THAT(reason_of_loss(graded("!ran[i]")), HasSubstr("not in the second"));
  expect_won(graded("true"));
}

TEST_F(OrderCheats, ABarrierThatOnlyABlockAloneReachesIsMissing) {
  const auto graded = [&](const std::string& condition) {
    return grade_difference(
        "  __shared__ int tile[BLOCK], others;\n  if (t == 0) others = atomicAdd(&running, 1);\n"
        "  __syncthreads();\n  if (i < n) tile[t] = input[i];\n  if (" +
            condition +
            ") __syncthreads();\n  if (t == BLOCK - 1) atomicSub(&running, others < 0 ? 2 : 1);\n",
        "__device__ int running;\n");
  };
  expect_won(graded("true"));
  const Record record = graded("others == 0");
  EXPECT_TRUE(found(item_called(record, "checks"), FindingKind::race)) << summary(record);
}

TEST_F(OrderCheats, AKernelThatReliesOnTheOrderOfItsInputsAndKeepsSomethingIsForAPerson) {
  const Record record = grade_lab(
      kDifferenceLab,
      difference_kernel("  if (i >= n) return;\n"
                        "  if (n == 2048 && i > 0 && input[i] < input[i - 1]) __trap();\n"
                        "  result[i] = input[i] - (i > 0 ? input[i - 1] : 0);\n  ++runs[i];\n",
                        "__device__ int runs[2048];\n"));
  EXPECT_EQ(item_called(record, "correctness/2").status, Status::review) << summary(record);
  EXPECT_THAT(item_called(record, "correctness/2").findings, IsEmpty());
}

TEST_F(OrderCheats, MemoryMappedAccessesTalkToo) {
  const Record record = grade_difference(
      "  __shared__ int tile[BLOCK];\n  if (i < n) put(&tile[t], input[i]);\n",
      "__device__ void put(int* p, int v) { asm volatile(\"st.mmio.relaxed.sys.u32 [%0], %1;\" :: "
      "\"l\"(p), \"r\"(v) : \"memory\"); }\n");
  EXPECT_EQ(record.score, 0) << summary(record);
}

TEST_F(OrderCheats, AVariableThatTheNextLaunchFindsIsSetBack) {
  const auto graded = [&](const std::string& last) {
    return grade_lab(kDifferenceLab, numbered_kernel("__device__ unsigned counter;",
                                                     "block = atomicAdd(&counter, 1);\n" + last));
  };
  EXPECT_THAT(reason_of_loss(graded("")), HasSubstr("not in the second"));
  expect_won(graded("if (block == gridDim.x - 1) counter = 0;"));
}

TEST_F(OrderCheats, AReturnThatNoThreadTakesExcusesNoThread) {
  const auto severity = [&](const std::string& before, const std::string& condition) {
    const Record record = grade_lab(kDifferenceLab, difference_kernel(before + R"(
  __shared__ int tile[BLOCK];
  )" + condition + R"( {
    if (n < 0) return;
    tile[t] = i < n ? input[i] : 0;
    __syncthreads();
    if (i < n) result[i] = tile[t] - (i > 0 ? input[i - 1] : 0);
  })"));
    const Item& checks = item_called(record, "checks");
    return found(checks, FindingKind::divergent_barrier) ? Status::fail : checks.status;
  };
  EXPECT_EQ(severity("", "if (t < 224 || i < n)"), Status::fail);
  EXPECT_EQ(severity("  if (t >= 224 && i >= n) return;\n", ""), Status::pass);
}

TEST_F(OrderCheats, TwoBarriersInTwoBranchesAreDifferent) {
  options.compiler.kind = CompilerKind::nvrtc;
  EXPECT_TRUE(branches_diverge("__syncthreads()")) << "NVRTC";
  options.compiler.kind = CompilerKind::clang;
  EXPECT_TRUE(branches_diverge("__syncthreads()")) << "Clang";
}

TEST_F(OrderCheats, TwoInlinedBarriersOfOneLineAreDifferent) {
  options.compiler.kind = CompilerKind::nvrtc;
  EXPECT_TRUE(branches_diverge("sync()")) << "NVRTC";
  options.compiler.kind = CompilerKind::clang;  // does not say where it inlined
  EXPECT_TRUE(branches_diverge("sync()")) << "Clang";
}

TEST_F(OrderCheats, ABlockThatDoesNotWaitForTheOneBeforeLoses) {
  const Record record =
      grade_lab(kDifferenceLab, difference_kernel(R"(
  __shared__ int tile[BLOCK];
  if (i < n) tile[t] = input[i];
  if (t == BLOCK - 1 && i < n) edge[blockIdx.x] = input[i];
  __syncthreads();
  if (i < n) {
    int left = 0;
    if (t > 0) left = tile[t - 1];
    else if (i > 0) left = edge[blockIdx.x - 1];
    result[i] = tile[t] - left;
  }
)",
                                                  "__device__ volatile int edge[64];\n"));
  expect_lost(record);
}

TEST_F(OrderCheats, AShuffleFromALaneOutsideOfItsMaskGivesAnUnknownValue) {
  const Record record = grade_difference(R"(
  __shared__ int tile[BLOCK];
  int own = i < n ? input[i] : 0;
  int from = 2143346349;
  if (t % 32 != 31) from = __shfl_sync(0x7fffffffu, own, 31);
  tile[t] = own + (from - 2143346349);
  __syncthreads();
)");
  EXPECT_EQ(record.score, 0) << summary(record);
}

}  // namespace
}  // namespace tessera
