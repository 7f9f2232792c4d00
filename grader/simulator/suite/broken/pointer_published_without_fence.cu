// check: --kernel k --grid 2 --block 1 --arg int32[4]=zeros --arg uint64[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the pointer may be seen before the data it points to
// line: 12
__global__ void k(int* data, unsigned long long* where, int* out) {
  if (blockIdx.x == 0) {
    data[2] = 6;
    atomicExch(where, (unsigned long long)(data + 2));
  } else {
    int* p = (int*)atomicAdd(where, 0ull);
    __threadfence();
    if (p) *out = *p;
  }
}
