// check: --kernel Downsample --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[64]=unwritten
// expect: race -- two threads write different values to each output element
// line: 10
// Takes every second value.
__global__ void Downsample(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  const int target = i / 2;
  out[target] = value;
}
