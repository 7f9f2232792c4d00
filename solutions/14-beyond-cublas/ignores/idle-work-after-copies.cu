// expect: technique/9=fail -- copies are waited for after arithmetic without use
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int ROWS = 64;
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
constexpr int STAGES = 4;
constexpr int ROW_GROUPS = 4 * LANES_DOWN;
constexpr int COL_GROUPS = 4 * LANES_ACROSS;

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

__device__ void start_copies_of_B(Tiles& to, Matrix<const float> B_cols, int start) {
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / (4 * THREADS); ++i) {
    const int p = threadIdx.x / (COLS / 4) + i * (4 * THREADS / COLS);
    const int col = threadIdx.x % (COLS / 4) * 4;
    __pipeline_memcpy_async(&to.B[p][col], &B_cols(start + p, col), sizeof(float4));
  }
}

__device__ void add_products(const Operands& use, float (&sums)[OWN_ROWS][OWN_COLS]) {
#pragma unroll
  for (int j = 0; j < OWN_COLS; ++j) {
#pragma unroll
    for (int step = 0; step < OWN_ROWS; ++step) {
      const int i = j % 2 == 0 ? step : OWN_ROWS - 1 - step;
      sums[i][j] += use.a[i] * use.b[j];
    }
  }
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) Tiles tiles[STAGES];

  const Matrix<const float> A_rows = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * COLS, B.height, COLS);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANES_ACROSS * 4;
  const int col = warp % WARPS_ACROSS * WARP_COLS + lane % LANES_ACROSS * 4;
  const int last = A.width / DEPTH - 1;

  for (int phase = 0; phase < STAGES - 1; ++phase) {
    const int start = min(phase, last) * DEPTH;
    start_copies_of_A(tiles[phase], A_rows, start);
    start_copies_of_B(tiles[phase], B_cols, start);
    __pipeline_commit();
  }

  float sums[OWN_ROWS][OWN_COLS] = {};
  Operands operands[2];
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  read(tiles[0], 0, row, col, operands[0]);

  int coming = min(STAGES - 1, last);
  for (int phase = 0; phase <= last; ++phase) {
    const Tiles& now = tiles[phase % STAGES];
    const Tiles& next = tiles[(phase + 1) % STAGES];
    Tiles& free = tiles[(phase + STAGES - 1) % STAGES];

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      if (p == 0) start_copies_of_A(free, A_rows, coming * DEPTH);
      if (p == 0) {
        start_copies_of_B(free, B_cols, coming * DEPTH);
        __pipeline_commit();
        float idle = static_cast<float>(phase);
#pragma unroll
        for (int i = 0; i < 304; ++i) idle = idle * 0.5f + 1.0f;
        if (idle < 0) sums[0][0] = 0;  // never
        __pipeline_wait_prior(0);
        coming = min(coming + 1, last);
      }
      if (p + 1 < DEPTH) {
        read(now, p + 1, row, col, operands[(p + 1) % 2]);
      } else {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        read(next, 0, row, col, operands[0]);
      }
      add_products(operands[p % 2], sums);
    }
  }
  __pipeline_wait_prior(0);

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
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
