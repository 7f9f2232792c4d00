// check: --kernel AddOffsets --grid 1 --block 64 --shared 256 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: uninitialized-read -- no thread writes the shared offsets before they are read
// line: 10
// Adds an offset from shared memory to every value.
extern __shared__ float offsets[];

__global__ void AddOffsets(const float* x, float* out) {
  const int tid = threadIdx.x;
  const float offset = offsets[tid];
  out[tid] = x[tid] + offset;
}
