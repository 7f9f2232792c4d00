// check: --kernel k --grid 1 --block 64 --arg float32[64]=ones --arg float32[64]=unwritten
// Each element is stored before it is read by its own thread.
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] = 0;
  for (int i = 0; i < 4; ++i) out[threadIdx.x] += in[(threadIdx.x + i) % 64];
}
