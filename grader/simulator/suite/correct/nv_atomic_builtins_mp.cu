// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// only with: nvrtc
// The guide's __nv_atomic functions with release and acquire of device scope (NVRTC only).
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 7;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else if (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 1) {
    *out = *data;
  }
}
