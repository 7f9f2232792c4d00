// check: --kernel k --grid 1 --block 64 --arg int32[32]=zeros
// expect: warning -- from compute capability 7.0 a barrier waits for all non-exited threads; a
// whole warp has
//         exited here
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t >= 32) return;
  s[t] = t;
  __syncthreads();
  out[t] = s[31 - t];
}
