// check: --kernel StoreDoubles --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[80]=zeros
// expect: misaligned -- the doubles start after an odd number of floats
// line: 10
// Stores doubles after a header of three floats.
constexpr int kHeader = 3;

__global__ void StoreDoubles(const float* x, float* record) {
  double* body = reinterpret_cast<double*>(record + kHeader);
  body[threadIdx.x] = 2.0 * x[threadIdx.x];
}
