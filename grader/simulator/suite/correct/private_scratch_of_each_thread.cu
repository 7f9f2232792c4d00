// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// Each thread has its own place.
__global__ void k(const int* in, int* out) {
  __shared__ int tmp[64];
  tmp[threadIdx.x] = in[threadIdx.x] * 2;
  out[threadIdx.x] = tmp[threadIdx.x];
}
