// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// All lanes of the mask execute a __syncwarp() with the same mask, in different branches
// (allowed from 7.0 on).
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t & 1) {
    s[t] = t;
    __syncwarp();
    out[t] = s[t - 1];
  } else {
    s[t] = -t;
    __syncwarp();
    out[t] = s[t + 1];
  }
}
