// check: --kernel Pairs --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: unfinished-copy -- the only wait stands before the loop and knows the first tile alone
// line: 8, 20, 21
// Sum over a row of tiles.
__device__ void CopyWord(float* target, const float* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(source) : "memory");
}

__global__ void Pairs(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  CopyWord(&buffer[0][tid], &mine[tid]);
  asm volatile("cp.async.wait_all;" ::: "memory");
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + 1 < tiles) CopyWord(&buffer[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid]);
    sum += buffer[t % 2][tid ^ 3];
  }
  out[blockIdx.x * 64 + tid] = sum;
}
