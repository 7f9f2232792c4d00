// check: --kernel Widen --grid 1 --block 64 --arg float32[64]=uniform --arg float32[128]=unwritten
// expect: race -- two threads at a time write the same 16 bytes
// line: 9, 10
// Spreads every value over four places.
__global__ void Widen(const float* x, float4* out) {
  const int i = threadIdx.x;
  const float value = x[i];
  const float4 quad = make_float4(value, value, -value, -value);
  out[i / 2] = quad;
}
