// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// only with: nvrtc
// Compare_exchange with acquire, store with release (NVRTC only).
#include <cuda/atomic>
__global__ void k(int* lock, int* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
  int free = 0;
  while (!l.compare_exchange_weak(free, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
    free = 0;
  *sum += 1;
  l.store(0, cuda::memory_order_release);
}
