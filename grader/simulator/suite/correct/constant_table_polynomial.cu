// check: --kernel EvaluatePolynomial --grid 2 --block 100 --arg float32[200]=uniform
//        --arg float32[200]=unwritten
// expect: clean
// Horner's rule with coefficients in constant memory.
constexpr int kDegree = 4;
__constant__ float coefficients[kDegree + 1] = {1.0f, 1.0f, 0.5f, 0.1666667f, 0.0416667f};

__global__ void EvaluatePolynomial(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = coefficients[kDegree];
  for (int k = kDegree - 1; k >= 0; --k) value = value * x[i] + coefficients[k];
  y[i] = value;
}
