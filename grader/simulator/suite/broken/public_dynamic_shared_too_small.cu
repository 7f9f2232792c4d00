// check: --kernel k --grid 1 --block 64 --shared 128 --arg int32[64]=zeros
// expect: out-of-bounds -- 64 ints need 256 bytes of dynamic shared memory, the launch gives 128
// line: 7, 9
__global__ void k(int* out) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[63 - t];
}
