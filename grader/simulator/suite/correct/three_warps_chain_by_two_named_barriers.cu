// check: --kernel k --grid 1 --block 96 --arg int32[1]=zeros
// Warp 0 meets warp 1 at barrier 1, warp 1 meets warp 2 at barrier 2: the order is transitive.
__global__ void k(int* out) {
  __shared__ int data;
  const int t = threadIdx.x;
  if (t < 32) {
    if (t == 0) data = 4;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else if (t < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    if (t == 64) *out = data;
  }
}
