// check: --kernel Shifted --grid 2 --block 32 --arg float32[2048]=uniform
//        --arg float32[256]=unwritten --arg int32=8
// Three stages of float4 in inline assembly, with a template for the number of groups.
__device__ void CopyQuad(void* target, const void* source) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(target));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(source)
               : "memory");
}

__device__ void Commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}

template <int kGroups>
__device__ void Wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kGroups) : "memory");
}

__global__ void Shifted(const float4* x, float4* out, int tiles) {
  __shared__ float4 ring[3][32];
  const int lane = threadIdx.x;
  const float4* mine = x + blockIdx.x * tiles * 32;
  CopyQuad(&ring[0][lane], &mine[lane]);
  Commit();
  CopyQuad(&ring[1][lane], &mine[32 + lane]);
  Commit();
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  int read = 0;
  int write = 2;
  for (int t = 0; t < tiles; ++t) {
    Wait<1>();
    __syncthreads();
    if (t + 2 < tiles) CopyQuad(&ring[write][lane], &mine[(t + 2) * 32 + lane]);
    Commit();
    const float4 value = ring[read][(lane + 1) % 32];
    sum = make_float4(sum.x + value.x, sum.y + value.y, sum.z + value.z, sum.w + value.w);
    read = read == 2 ? 0 : read + 1;
    write = write == 2 ? 0 : write + 1;
  }
  out[blockIdx.x * 32 + lane] = sum;
}
