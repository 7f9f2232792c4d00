// expect: misaligned, not-finite -- the tile of A is transposed, so its copies are 4 bytes
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int ROWS = 64;
constexpr int COLS = 256;
constexpr int DEPTH = 8;
constexpr int OWN_ROWS = 8;
constexpr int OWN_COLS = 16;
constexpr int ACROSS = COLS / OWN_COLS;
constexpr int THREADS = ROWS / OWN_ROWS * ACROSS;
constexpr int STAGES = 4;
constexpr int ROW_GROUPS = 4 * (ROWS / OWN_ROWS);
constexpr int COL_GROUPS = 4 * ACROSS;

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

__device__ void start_copies(Tiles& to, Matrix<const float> A_rows, Matrix<const float> B_cols,
                             int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / THREADS; ++i) {
    const int p = threadIdx.x % DEPTH;
    const int row = threadIdx.x / DEPTH + i * (THREADS / DEPTH);
    __pipeline_memcpy_async(&to.A[p][row], &A_rows(row, start + p), sizeof(float4));
  }
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / (4 * THREADS); ++i) {
    const int p = threadIdx.x / (COLS / 4) + i * (4 * THREADS / COLS);
    const int col = threadIdx.x % (COLS / 4) * 4;
    __pipeline_memcpy_async(&to.B[p][col], &B_cols(start + p, col), sizeof(float4));
  }
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) Tiles tiles[STAGES];

  const Matrix<const float> A_rows = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * COLS, B.height, COLS);
  const int row = threadIdx.x / ACROSS * 4;
  const int col = threadIdx.x % ACROSS * 4;
  const int phases = A.width / DEPTH;

  for (int phase = 0; phase < STAGES - 1; ++phase) {
    if (phase < phases) start_copies(tiles[phase], A_rows, B_cols, phase * DEPTH);
    __pipeline_commit();
  }

  float sums[OWN_ROWS][OWN_COLS] = {};
  Operands operands[2];
  for (int phase = 0; phase < phases; ++phase) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();

    const Tiles& now = tiles[phase % STAGES];
    read(now, 0, row, col, operands[0]);

    const int coming = phase + STAGES - 1;
    if (coming < phases) start_copies(tiles[coming % STAGES], A_rows, B_cols, coming * DEPTH);
    __pipeline_commit();

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      if (p + 1 < DEPTH) read(now, p + 1, row, col, operands[(p + 1) % 2]);
      const Operands& use = operands[p % 2];
#pragma unroll
      for (int i = 0; i < OWN_ROWS; ++i) {
#pragma unroll
        for (int j = 0; j < OWN_COLS; ++j) sums[i][j] += use.a[i] * use.b[j];
      }
    }
  }

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
