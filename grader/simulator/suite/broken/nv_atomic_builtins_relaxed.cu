// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// only with: nvrtc
// expect: race -- the same with relaxed order on both sides (NVRTC only)
// line: 11
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 7;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else if (__nv_atomic_load_n(flag, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 1) {
    *out = *data;
  }
}
