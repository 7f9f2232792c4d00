// The right output: each element computed separately, simply and slowly, in double.
#include <tessera/lab.cuh>

/// The sum of piece number `column`.
__device__ double reference(Matrix<const float> input, int n, int blocks, int row, int column) {
  const int piece = n / blocks;
  double sum = 0;
  for (int i = 0; i < piece; ++i) sum += input(0, column * piece + i);
  return sum;
}

/// The largest error of a right element, whatever the order of adding the float32 numbers (gamma of
/// piece - 1 additions, times the sum of the magnitudes). Whole numbers whose magnitudes add to at
/// most 2^24 have one right sum.
__device__ double bound(Matrix<const float> input, int n, int blocks, int row, int column) {
  const int piece = n / blocks;
  const double u = 1.0 / (1 << 24);
  double magnitudes = 0;
  bool whole = true;
  for (int i = 0; i < piece; ++i) {
    const double value = input(0, column * piece + i);
    magnitudes += value < 0 ? -value : value;
    whole = whole && value == static_cast<long long>(value);
  }
  if (whole && magnitudes <= 1 << 24) return 0;
  return (piece - 1) * u / (1 - (piece - 1) * u) * magnitudes;
}
