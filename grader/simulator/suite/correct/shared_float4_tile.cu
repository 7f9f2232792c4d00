// check: --kernel RotateQuads --grid 2 --block 32 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: clean
// Writes 16-byte vectors to shared memory and reads single floats of other threads' vectors.
__global__ void RotateQuads(const float4* x, float* out) {
  __shared__ float4 quads[32];
  const int tid = threadIdx.x;
  quads[tid] = x[blockIdx.x * 32 + tid];
  __syncthreads();
  const float* flat = reinterpret_cast<const float*>(quads);
  for (int k = 0; k < 4; ++k) {
    const int from = (k * 32 + tid + 5) % 128;
    out[blockIdx.x * 128 + k * 32 + tid] = flat[from];
  }
}
