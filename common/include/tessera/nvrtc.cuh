// pow of two different types, in double, which nvcc takes from the host's <cmath> and NVRTC lacks.
#pragma once

template <class X, class Y, class = decltype(double(X()) * double(Y()))>
__device__ inline double pow(X x, Y y) {
  return pow(static_cast<double>(x), static_cast<double>(y));
}
