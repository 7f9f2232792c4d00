// The right output: each element computed separately, simply and slowly, in double.
#include <tessera/lab.cuh>

/// Element number `column` of input, and 0 beyond both ends.
__device__ double element(Matrix<const float> input, int n, int column) {
  return column >= 0 && column < n ? input(0, column) : 0.0f;
}

/// The weighted sum of element number `column` of input and its neighbours.
__device__ double reference(Matrix<const float> input, Matrix<const float> weights, int n, int row,
                            int column) {
  const int radius = weights.width / 2;
  double sum = 0;
  for (int j = 0; j < weights.width; ++j) {
    sum += weights(0, j) * element(input, n, column + j - radius);
  }
  return sum;
}

/// The largest error of a right element, whatever the order of adding the float32 products, fused
/// or not (gamma of the number of weights, times the sum of the magnitudes).
__device__ double bound(Matrix<const float> input, Matrix<const float> weights, int n, int row,
                        int column) {
  const int taps = weights.width;
  const double u = 1.0 / (1 << 24);
  double magnitudes = 0;
  for (int j = 0; j < taps; ++j) {
    const double product = weights(0, j) * element(input, n, column + j - taps / 2);
    magnitudes += product < 0 ? -product : product;
  }
  return taps * u / (1 - taps * u) * magnitudes;
}
