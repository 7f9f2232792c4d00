// check: --kernel SeeAsBoth --grid 1 --block 32 --shared 128 --arg int32=1
// expect: clean
// One shared array, seen as floats and as ints: what one view stores the other one loads.
__global__ void SeeAsBoth(int one) {
  extern __shared__ char bytes[];
  float* const values = reinterpret_cast<float*>(bytes);
  int* const bits = reinterpret_cast<int*>(bytes);
  const int t = threadIdx.x;
  values[t] = t + 0.5f;
  bits[one * t] = 0x40e00000;
  if (values[t] != 7.0f) __trap();
}
