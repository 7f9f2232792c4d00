// check: --kernel TagsThenValues --grid 1 --block 33 --shared 256 --arg float32[33]=uniform
//        --arg float32[33]=unwritten
// expect: misaligned -- after 33 shorts the float array starts at byte 66
// line: 13, 15
// Shorts and floats carved out of one dynamic allocation, the smaller type first.
extern __shared__ __align__(16) unsigned char arena[];

__global__ void TagsThenValues(const float* x, float* out) {
  short* tags = reinterpret_cast<short*>(arena);
  float* values = reinterpret_cast<float*>(tags + blockDim.x);
  const int tid = threadIdx.x;
  tags[tid] = static_cast<short>(32 - tid);
  values[tid] = x[tid];
  __syncthreads();
  out[tid] = values[tags[tid]];
}
