// The pipeline of lab 14, whose tile of B the tensor memory accelerator copies: one thread starts
// the copy of a whole row, 1 KiB, and calculates no other address. The bytes that arrive are
// counted by an mbarrier for each stage (PTX ISA, "cp.async.bulk" and "mbarrier"). The tile of A is
// transposed, which only copies of single elements can do; they arrive at the same mbarrier.
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int STAGES = 4;
constexpr int ROWS = 64;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 8;
constexpr int OWN_ROWS = 8;
constexpr int OWN_COLS = 16;
constexpr int LANES_DOWN = 4;
constexpr int LANES_ACROSS = 8;
constexpr int WARP_ROWS = LANES_DOWN * OWN_ROWS;
constexpr int WARP_COLS = LANES_ACROSS * OWN_COLS;
constexpr int WARPS_ACROSS = COLS / WARP_COLS;
constexpr int THREADS = 32 * (ROWS / WARP_ROWS) * WARPS_ACROSS;
constexpr int ROW_GROUPS = 4 * LANES_DOWN;    // from a thread's first four rows to the next
constexpr int COL_GROUPS = 4 * LANES_ACROSS;  // the same for its columns

__device__ const float4& four(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

__device__ void unpack(float4 from, float* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

struct Tiles {
  float A[DEPTH][ROWS + 4];
  float B[DEPTH][COLS];
};

struct Operands {
  float a[OWN_ROWS];
  float b[OWN_COLS];
};

__device__ void read(const Tiles& tiles, int p, int row, int col, Operands& to) {
#pragma unroll
  for (int i = 0; i < OWN_ROWS; i += 4)
    unpack(four(tiles.A[p][row + i / 4 * ROW_GROUPS]), to.a + i);
#pragma unroll
  for (int j = 0; j < OWN_COLS; j += 4)
    unpack(four(tiles.B[p][col + j / 4 * COL_GROUPS]), to.b + j);
}

__device__ void start_copies_of_A(Tiles& to, Matrix<const float> A_rows, int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / THREADS; ++i) {
    const int p = threadIdx.x % DEPTH;
    const int row = threadIdx.x / DEPTH + i * (THREADS / DEPTH);
    __pipeline_memcpy_async(&to.A[p][row], &A_rows(row, start + p), sizeof(float));
  }
}

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Thread p starts the copy of row p of the tile of B that begins in row `start`.
__device__ void start_copies_of_B(Tiles& to, Matrix<const float> B_cols, int start,
                                  unsigned long long* arrived) {
  const int p = threadIdx.x;
  if (p >= DEPTH) return;
  constexpr unsigned kRow = COLS * sizeof(float);
  if (p == 0) {
    asm volatile(
        "{ .reg .b64 token; mbarrier.arrive.expect_tx.shared::cta.b64 token, [%0], %1; }" ::"r"(
            shared_address(arrived)),
        "r"(DEPTH * kRow)
        : "memory");
  }
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to.B[p])),
      "l"(&B_cols(start + p, 0)), "r"(kRow), "r"(shared_address(arrived))
      : "memory");
}

/// Makes this thread arrive when all copies of A that it has started so far have arrived.
__device__ void arrive_with_copies(unsigned long long* arrived) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(arrived))
               : "memory");
}

__device__ void wait_for(unsigned long long* arrived, int parity) {
  unsigned over = 0;
  while (over == 0) {
    asm volatile(
        "{ .reg .pred over; mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;"
        " selp.u32 %0, 1, 0, over; }"
        : "=r"(over)
        : "r"(shared_address(arrived)), "r"(parity)
        : "memory");
  }
}

/// Adds the products of one p, down a column of the thread's tile and up the next.
__device__ void add_products(const Operands& use, float (&sums)[OWN_ROWS][OWN_COLS]) {
#pragma unroll
  for (int step = 0; step < OWN_ROWS * OWN_COLS; ++step) {
    const int j = step / OWN_ROWS;
    const int i = j % 2 == 0 ? step % OWN_ROWS : OWN_ROWS - 1 - step % OWN_ROWS;
    sums[i][j] += use.a[i] * use.b[j];
  }
}

__global__ void bulk(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  extern __shared__ __align__(16) Tiles tiles[];  // of STAGES phases
  const Matrix<const float> A_rows = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * COLS, B.height, COLS);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANES_ACROSS * 4;  // this thread's
  const int col = warp % WARPS_ACROSS * WARP_COLS + lane % LANES_ACROSS * 4;  // first elements
  const int last = A.width / DEPTH - 1;                                       // phase

  __shared__ unsigned long long arrived[STAGES];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&arrived[stage])),
                   "r"(THREADS + 1)
                   : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();

  for (int phase = 0; phase < STAGES - 1; ++phase) {
    const int start = min(phase, last) * DEPTH;
    start_copies_of_A(tiles[phase], A_rows, start);
    start_copies_of_B(tiles[phase], B_cols, start, &arrived[phase]);
    arrive_with_copies(&arrived[phase]);
  }

  float sums[OWN_ROWS][OWN_COLS] = {};
  Operands operands[2];
  wait_for(&arrived[0], 0);
  read(tiles[0], 0, row, col, operands[0]);

  int coming = min(STAGES - 1, last);  // the phase whose tiles are copied next
  for (int phase = 0; phase <= last; ++phase) {
    const Tiles& now = tiles[phase % STAGES];
    const Tiles& next = tiles[(phase + 1) % STAGES];
    Tiles& free = tiles[(phase + STAGES - 1) % STAGES];  // the one that was used last
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      if (p == 0) start_copies_of_A(free, A_rows, coming * DEPTH);
      if (p == DEPTH / 2) {
        unsigned long long* const of_free = &arrived[(phase + STAGES - 1) % STAGES];
        start_copies_of_B(free, B_cols, coming * DEPTH, of_free);
        arrive_with_copies(of_free);
        coming = min(coming + 1, last);
      }
      if (p + 1 < DEPTH) {
        read(now, p + 1, row, col, operands[(p + 1) % 2]);
      } else {
        wait_for(&arrived[(phase + 1) % STAGES], (phase + 1) / STAGES % 2);
        __syncthreads();  // `now` is free
        read(next, 0, row, col, operands[0]);
      }
      add_products(operands[p % 2], sums);
    }
  }
  for (int phase = last + 2; phase < last + STAGES; ++phase)  // nothing is on its way at the end
    wait_for(&arrived[phase % STAGES], phase / STAGES % 2);

  const Matrix<float> C_tile = C.view(blockIdx.y * ROWS, blockIdx.x * COLS, ROWS, COLS);
#pragma unroll
  for (int i = 0; i < OWN_ROWS; ++i) {
#pragma unroll
    for (int j = 0; j < OWN_COLS; ++j) {
      const int to_row = row + i % 4 + i / 4 * ROW_GROUPS;
      const int to_col = col + j % 4 + j / 4 * COL_GROUPS;
      C_tile(to_row, to_col) = sums[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
