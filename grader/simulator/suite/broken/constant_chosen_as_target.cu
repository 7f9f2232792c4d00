// check: --kernel StoreResult --grid 1 --block 16 --arg float32[16]=uniform --arg float32[16]=zeros
//        --arg int32=1
// expect: read-only-write -- the chosen target of the store lies in constant memory
// line: 11
// Stores results in one of two arrays.
__constant__ float defaults[16] = {1.0f};

__global__ void StoreResult(const float* x, float* out, int use_defaults) {
  float* target = use_defaults != 0 ? defaults : out;
  const int i = threadIdx.x;
  target[i] = 2.0f * x[i];
}
