// check: --kernel k --grid 1 --block 32 --arg float32[32]=zeros
// expect: uninitialized-read -- the weight of the shared structs is never stored
// line: 11
struct Item {
  float value, weight;
};
__global__ void k(float* out) {
  __shared__ Item s[32];
  s[threadIdx.x].value = threadIdx.x;
  __syncthreads();
  const Item i = s[31 - threadIdx.x];
  out[threadIdx.x] = i.value * i.weight;
}
