// check: --kernel Reverse --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=unwritten
//        --arg int32=40
// expect: warning -- threads past the end store a zero and return before the barrier
// Reverses a tile; what lies behind its end becomes zero.
__global__ void Reverse(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t >= n) {
    out[t] = 0;
    return;
  }
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}
