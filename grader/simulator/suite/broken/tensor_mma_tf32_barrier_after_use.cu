// check: --kernel Multiply --grid 2,1 --block 64 --arg float32[32,24]=uniform
//        --arg float32[24,16]=uniform --arg float32[32,16]=unwritten --arg int32=24
// expect: race -- the barrier stands after the reads of the tiles instead of before them
// line: 29, 30, 31, 32, 33
// Single precision by m16n8k8 of tf32 from shared tiles, two warps.
__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned Round(float x) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
}

__global__ void Multiply(const float* a, const float* b, float* c, int k) {
  __shared__ float as[32][9];
  __shared__ float bs[8][9];
  const int tid = threadIdx.x;
  const int g = tid % 32 / 4;
  const int t = tid % 4;
  const int row = tid / 32 * 16 + g;
  float d[4] = {};
  for (int i = 0; i < k; i += 8) {
    for (int e = tid; e < 256; e += 64) as[e / 8][e % 8] = a[e / 8 * k + i + e % 8];
    bs[tid / 8][tid % 8] = b[(i + tid / 8) * 16 + blockIdx.x * 8 + tid % 8];
    const unsigned left[4] = {Round(as[row][t]), Round(as[row + 8][t]), Round(as[row][t + 4]),
                              Round(as[row + 8][t + 4])};
    const unsigned right[2] = {Round(bs[t][g]), Round(bs[t + 4][g])};
    MultiplyAdd(d, left, right);
    __syncthreads();
  }
  float* out = c + row * 16 + blockIdx.x * 8 + t * 2;
  out[0] = d[0];
  out[1] = d[1];
  out[128] = d[2];
  out[129] = d[3];
}
