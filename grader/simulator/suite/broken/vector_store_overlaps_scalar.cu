// check: --kernel FillRows --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- the 16-byte store of one thread covers an element that its neighbour writes
// line: 11, 13
// Every fourth thread stores four values at once, the thread after the next adds its own.
__global__ void FillRows(const float* x, float* out) {
  const int i = threadIdx.x;
  if (i % 4 == 0) {
    const float value = x[i];
    const float4 quad = make_float4(value, value + 1.0f, value + 2.0f, value + 3.0f);
    reinterpret_cast<float4*>(out)[i / 4] = quad;
  } else if (i % 4 == 2) {
    out[i] = -x[i];
  }
}
