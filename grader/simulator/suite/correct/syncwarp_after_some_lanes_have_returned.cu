// check: --kernel k --grid 1 --block 32 --arg int32[20]=zeros
// All non-exited lanes of the mask execute it.
__global__ void k(int* out) {
  __shared__ int s[20];
  const int t = threadIdx.x;
  if (t >= 20) return;
  s[t] = t;
  __syncwarp();
  out[t] = s[19 - t];
}
