// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: divergent-barrier -- warp 0 executes two barriers where warp 1 executes another one: the
//         condition is not the same for all threads
// line: 10
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    __syncthreads();
    s[t] += 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[t] = s[63 - t];
}
