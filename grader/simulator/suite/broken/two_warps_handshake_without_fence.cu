// check: --kernel k --grid 1 --block 64 --arg int32[4]=zeros
// expect: race -- the turn is handed over by volatile accesses alone
// line: 17
__global__ void k(int* out) {
  __shared__ int data;
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  const int me = threadIdx.x / 32;
  for (int i = 0; i < 2; ++i) {
    while (turn != 2 * i + me) {
    }
    if (me == 0)
      data = i;
    else
      out[i] = data;
    turn = 2 * i + me + 1;
  }
}
