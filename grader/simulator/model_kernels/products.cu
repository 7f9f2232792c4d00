// The products on which the timing model is tested: C = A * B, all n x n, n a multiple of every
// tile. Each way to multiply is a template over its tile, and each instance has one kernel.
//
// Grids: n / tile blocks in both directions; threads: see each body.

// Each thread computes one element of C from global memory. threadIdx.x is the row of C with kRows,
// else the column. Block: tile x tile.
template <int kTile, bool kRows>
__device__ void basic(const float* A, const float* B, float* C, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  const int row = kRows ? x : y;
  const int col = kRows ? y : x;
  float sum = 0.0f;
  for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + col];
  C[row * n + col] = sum;
}

// Tiles in dynamic shared memory; threadIdx.x is the row. Each tile is stored unchanged or
// transposed. Block: tile x tile.
template <bool kTransposeA, bool kTransposeB>
__device__ __forceinline__ void stored(const float* A, const float* B, float* C, int n, int tile) {
  extern __shared__ float tiles[];
  float* As = tiles;
  float* Bs = tiles + tile * tile;
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * tile + i;
  const int col = blockIdx.y * tile + j;
  float sum = 0.0f;
  for (int start = 0; start < n; start += tile) {
    As[kTransposeA ? j * tile + i : i * tile + j] = A[row * n + start + j];
    Bs[kTransposeB ? j * tile + i : i * tile + j] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < tile; ++p) {
      sum += As[kTransposeA ? p * tile + i : i * tile + p] *
             Bs[kTransposeB ? j * tile + p : p * tile + j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// The tile's extent is the block's: the compiler can neither unroll loops nor merge loads.
template <bool kTransposeA, bool kTransposeB>
__device__ void any_tile(const float* A, const float* B, float* C, int n) {
  stored<kTransposeA, kTransposeB>(A, B, C, n, blockDim.x);
}

// The compiler knows the tile's extent.
template <int kTile, bool kTransposeA, bool kTransposeB>
__device__ void known_tile(const float* A, const float* B, float* C, int n) {
  stored<kTransposeA, kTransposeB>(A, B, C, n, kTile);
}

// Static tiles; threadIdx.x is the column. Block: tile x tile.
template <int kTile>
__device__ void tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[kTile][kTile];
  __shared__ float Bs[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int start = 0; start < n; start += kTile) {
    As[ty][tx] = A[row * n + start + tx];
    Bs[ty][tx] = B[(start + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kTile; ++p) sum += As[ty][p] * Bs[p][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// A block computes kM x kN elements of C, each thread kTM x kTN of them, from tiles kK deep. Block:
// kM * kN / (kTM * kTN) threads in a row. With kTN = 1 each thread has a column of kTM elements.
template <int kM, int kN, int kK, int kTM, int kTN>
__device__ void register_tile(const float* A, const float* B, float* C, int n) {
  constexpr int kThreads = kM * kN / (kTM * kTN);
  __shared__ float As[kM][kK];
  __shared__ float Bs[kK][kN];
  const int tx = threadIdx.x % (kN / kTN);
  const int ty = threadIdx.x / (kN / kTN);
  const int row = blockIdx.y * kM;
  const int col = blockIdx.x * kN;
  float sum[kTM][kTN] = {};
  for (int start = 0; start < n; start += kK) {
    for (int e = threadIdx.x; e < kM * kK; e += kThreads)
      As[e / kK][e % kK] = A[(row + e / kK) * n + start + e % kK];
    for (int e = threadIdx.x; e < kK * kN; e += kThreads)
      Bs[e / kN][e % kN] = B[(start + e / kN) * n + col + e % kN];
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kK; ++p) {
      float a[kTM], b[kTN];
#pragma unroll
      for (int i = 0; i < kTM; ++i) a[i] = As[ty * kTM + i][p];
#pragma unroll
      for (int j = 0; j < kTN; ++j) b[j] = Bs[p][tx * kTN + j];
#pragma unroll
      for (int i = 0; i < kTM; ++i) {
#pragma unroll
        for (int j = 0; j < kTN; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kTM; ++i) {
#pragma unroll
    for (int j = 0; j < kTN; ++j) C[(row + ty * kTM + i) * n + col + tx * kTN + j] = sum[i][j];
  }
}

// The same with 16-byte loads and stores, and with the tile of A stored transposed. Needs kK = 8,
// and (kM + kN) * kK / 4 must be a multiple of twice the number of threads.
template <int kM, int kN, int kK, int kTM, int kTN>
__device__ void vector_tile(const float* A, const float* B, float* C, int n) {
  constexpr int kThreads = kM * kN / (kTM * kTN);
  __shared__ __align__(16) float At[kK][kM];
  __shared__ __align__(16) float Bs[kK][kN];
  const int tx = threadIdx.x % (kN / kTN);
  const int ty = threadIdx.x / (kN / kTN);
  const int row = blockIdx.y * kM;
  const int col = blockIdx.x * kN;
  float sum[kTM][kTN] = {};
  for (int start = 0; start < n; start += kK) {
#pragma unroll
    for (int e = threadIdx.x; e < kM * kK / 4; e += kThreads) {
      const int i = e / (kK / 4), p = e % (kK / 4) * 4;
      const float4 a = *reinterpret_cast<const float4*>(&A[(row + i) * n + start + p]);
      At[p][i] = a.x;
      At[p + 1][i] = a.y;
      At[p + 2][i] = a.z;
      At[p + 3][i] = a.w;
    }
#pragma unroll
    for (int e = threadIdx.x; e < kK * kN / 4; e += kThreads) {
      const int p = e / (kN / 4), j = e % (kN / 4) * 4;
      *reinterpret_cast<float4*>(&Bs[p][j]) =
          *reinterpret_cast<const float4*>(&B[(start + p) * n + col + j]);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kK; ++p) {
      float a[kTM], b[kTN];
#pragma unroll
      for (int i = 0; i < kTM; i += 4)
        *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<float4*>(&At[p][ty * kTM + i]);
#pragma unroll
      for (int j = 0; j < kTN; j += 4)
        *reinterpret_cast<float4*>(&b[j]) = *reinterpret_cast<float4*>(&Bs[p][tx * kTN + j]);
#pragma unroll
      for (int i = 0; i < kTM; ++i) {
#pragma unroll
        for (int j = 0; j < kTN; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kTM; ++i) {
#pragma unroll
    for (int j = 0; j < kTN; j += 4)
      *reinterpret_cast<float4*>(&C[(row + ty * kTM + i) * n + col + tx * kTN + j]) =
          *reinterpret_cast<float4*>(&sum[i][j]);
  }
}

#define PRODUCT(name, ...)                                                           \
  extern "C" __global__ void name(const float* A, const float* B, float* C, int n) { \
    __VA_ARGS__(A, B, C, n);                                                         \
  }
#define SQUARE_BLOCKS(tile)                                \
  PRODUCT(basic_rows_##tile, basic<tile, true>)            \
  PRODUCT(basic_columns_##tile, basic<tile, false>)        \
  PRODUCT(rr_known_##tile, known_tile<tile, false, false>) \
  PRODUCT(rc_known_##tile, known_tile<tile, false, true>)  \
  PRODUCT(cr_known_##tile, known_tile<tile, true, false>)  \
  PRODUCT(cc_known_##tile, known_tile<tile, true, true>)   \
  PRODUCT(tiled_##tile, tiled<tile>)

SQUARE_BLOCKS(4)
SQUARE_BLOCKS(8)
SQUARE_BLOCKS(16)
SQUARE_BLOCKS(32)
PRODUCT(rr, any_tile<false, false>)
PRODUCT(rc, any_tile<false, true>)
PRODUCT(cr, any_tile<true, false>)
PRODUCT(cc, any_tile<true, true>)
PRODUCT(column_tile_64, register_tile<64, 64, 8, 8, 1>)
PRODUCT(square_tile_64, register_tile<64, 64, 8, 4, 4>)
PRODUCT(square_tile_128, register_tile<128, 128, 8, 8, 8>)
PRODUCT(vector_tile_64, vector_tile<64, 64, 8, 4, 4>)
PRODUCT(vector_tile_128, vector_tile<128, 128, 8, 8, 8>)
