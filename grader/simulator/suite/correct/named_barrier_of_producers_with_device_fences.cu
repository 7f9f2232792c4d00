// check: --kernel k --grid 2 --block 96 --arg int32[64]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// Every producer fences, they meet at barrier 1, and thread 0 fences again before the flag.
__global__ void k(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (t >= 64) return;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    asm volatile("bar.sync 1, 64;" ::: "memory");
    __threadfence();
    if (t == 0) atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0) == 1) {
    __threadfence();
    out[t] = data[63 - t];
  }
}
