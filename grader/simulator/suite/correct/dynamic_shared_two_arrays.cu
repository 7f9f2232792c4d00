// check: --kernel k --grid 1 --block 64 --shared 512 --arg int32[64]=zeros
// Both arrays fit into the dynamic shared memory of 512 bytes.
__global__ void k(int* out) {
  extern __shared__ int s[];
  float* f = (float*)(s + 64);
  const int t = threadIdx.x;
  s[t] = t;
  f[t] = t * 0.5f;
  __syncthreads();
  out[t] = s[63 - t] + (int)f[(t + 1) % 64];
}
