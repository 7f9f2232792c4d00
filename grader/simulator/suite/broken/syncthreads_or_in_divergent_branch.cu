// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// expect: divergent-barrier -- only the even threads reach the barrier before the others wait at
//         the next
// line: 8
__global__ void k(const int* in, int* out) {
  const int t = threadIdx.x;
  int any = 0;
  if (t % 2 == 0) any = __syncthreads_or(in[t] > 5);
  __syncthreads();
  out[t] = any;
}
