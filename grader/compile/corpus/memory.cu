// Atomics in every scope; loads and stores with a cache hint.
__global__ void atomics(int* i, unsigned int* u, unsigned long long* ul, long long* l, float* f,
                        double* d, unsigned short* s) {
  __shared__ int shared;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  atomicAdd(&shared, 1);
  i[0] = atomicAdd(i, 1) + atomicAdd(i, 1u) + atomicSub(i, 2) + atomicExch(i, 3) + atomicMin(i, 4) +
         atomicMax(i, 5) + atomicCAS(i, 6, 7) + atomicAnd(i, 8) + atomicOr(i, 9) + atomicXor(i, 10);
  u[0] = atomicAdd(u, 1u) + atomicAdd(u, 1) + atomicSub(u, 2u) + atomicExch(u, 3u) +
         atomicMin(u, 4u) + atomicMax(u, 5u) + atomicCAS(u, 6u, 7u) + atomicInc(u, 8u) +
         atomicDec(u, 9u) + atomicAnd(u, 8u) + atomicOr(u, 9u) + atomicXor(u, 10u);
  ul[0] = atomicAdd(ul, 1ull) + atomicExch(ul, 3ull) + atomicMin(ul, 4ull) + atomicMax(ul, 5ull) +
          atomicCAS(ul, 6ull, 7ull) + atomicAnd(ul, 8ull) + atomicOr(ul, 9ull) +
          atomicXor(ul, 10ull);
  l[0] = atomicMin(l, 4ll) + atomicMax(l, 5ll);
  f[0] = atomicAdd(f, 1.0f) + atomicExch(f, 2.0f);
  d[0] = atomicAdd(d, 1.0);
  s[0] = atomicCAS(s, static_cast<unsigned short>(1), static_cast<unsigned short>(2));
  i[1] = atomicAdd_block(i, 1) + atomicAdd_system(i, 1) + atomicSub_block(i, 1) +
         atomicMax_block(i, 1) + atomicMin_system(i, 1) + atomicExch_block(i, 1) +
         atomicCAS_system(i, 1, 2) + atomicAnd_block(i, 1) + atomicOr_system(i, 1) +
         atomicXor_block(i, 1) + shared;
  u[1] = atomicInc_block(u, 3u) + atomicDec_system(u, 4u);
  f[1] = atomicAdd_block(f, 1.0f);
  d[1] = atomicAdd_system(d, 1.0);
}

__global__ void hints(float* f, const float* __restrict__ in, float4* f4, int2* i2, double* d,
                      unsigned char* c, short* s, long long* l) {
  f[0] = __ldg(in) + __ldg(in + 1) + __ldca(f + 1) + __ldcg(f + 2) + __ldcs(f + 3) + __ldcv(f + 4);
  const float4 v = __ldg(f4);
  __stcs(f4 + 1, v);
  const int2 p = __ldcg(i2);
  __stcg(i2 + 1, p);
  d[0] = __ldg(d + 1);
  c[0] = __ldg(c + 1);
  s[0] = __ldg(s + 1);
  l[0] = __ldg(l + 1);
  __stwb(d + 2, 2.0);
  __stwt(f + 5, 3.0f);
  __stcg(c + 3, static_cast<unsigned char>(7));
}
