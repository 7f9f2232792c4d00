// check: --kernel BytesOfMirror --grid 1 --block 64 --arg float32[64]=uniform
//        --arg int32[64]=unwritten
// expect: race -- bytes are written over floats that other threads have yet to read
// line: 16, 17
// One shared buffer holds floats first, then bytes.
union Scratch {
  float reals[64];
  unsigned char bytes[256];
};

__global__ void BytesOfMirror(const float* x, int* out) {
  __shared__ Scratch scratch;
  const int tid = threadIdx.x;
  scratch.reals[tid] = x[tid];
  __syncthreads();
  const int scaled = static_cast<int>(100.0f * scratch.reals[63 - tid]);
  scratch.bytes[tid] = scaled & 255;
  __syncthreads();
  out[tid] = scratch.bytes[(tid + 1) % 64];
}
