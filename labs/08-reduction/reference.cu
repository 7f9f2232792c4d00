// What the output must be: each element computed by itself, slowly and obviously, in double.
#include <tessera/lab.cuh>

/// The sum of the piece number `column`.
__device__ double reference(Matrix<const float> input, int n, int blocks, int row, int column) {
  const int piece = n / blocks;
  double sum = 0;
  for (int i = 0; i < piece; ++i) sum += input(0, column * piece + i);
  return sum;
}

/// How far a right result may be from it: any order of adding float32 numbers keeps this bound
/// (gamma of piece - 1 additions, times the sum of the magnitudes). Whole numbers that float32
/// holds even if all are added with one sign have one right sum.
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
