// check: --kernel k --grid 2 --block 1 --arg int32[4]=zeros --arg uint64[1]=zeros
//        --arg int32[1]=zeros
// The pointed-to data is fenced before the pointer is published, and the reader fences behind
// the read of the pointer.
__global__ void k(int* data, unsigned long long* where, int* out) {
  if (blockIdx.x == 0) {
    data[2] = 6;
    __threadfence();
    atomicExch(where, (unsigned long long)(data + 2));
  } else {
    int* p = (int*)atomicAdd(where, 0ull);
    __threadfence();
    if (p) *out = *p;
  }
}
