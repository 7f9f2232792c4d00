// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// only with: nvrtc
// expect: race -- store(relaxed) with load(acquire): the writer releases nothing (NVRTC only)
// line: 13
#include <cuda/atomic>
__global__ void k(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> r(*flag);
  if (blockIdx.x == 0) {
    *data = 5;
    r.store(1, cuda::memory_order_relaxed);
  } else if (r.load(cuda::memory_order_acquire) == 1) {
    *out = *data;
  }
}
