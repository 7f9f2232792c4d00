// check: --kernel Flip --grid 2 --block 32 --arg float32[1024]=uniform
//        --arg float32[256]=unwritten --arg int32=4
// expect: unfinished-copy -- the wait may leave two groups, but there is only one tile ahead
// line: 8, 23
// Two stages of float4 in inline assembly.
__device__ void CopyQuad(void* target, const void* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(source) : "memory");
}

__global__ void Flip(const float4* x, float4* out, int tiles) {
  __shared__ float4 buffer[2][32];
  const int lane = threadIdx.x;
  const float4* mine = x + blockIdx.x * tiles * 32;
  CopyQuad(&buffer[0][lane], &mine[lane]);
  asm volatile("cp.async.commit_group;" ::: "memory");
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) CopyQuad(&buffer[(t + 1) % 2][lane], &mine[(t + 1) * 32 + lane]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncthreads();
    const float4 value = buffer[t % 2][31 - lane];
    sum = make_float4(sum.x + value.x, sum.y + value.y, sum.z + value.z, sum.w + value.w);
    __syncthreads();
  }
  out[blockIdx.x * 32 + lane] = sum;
}
