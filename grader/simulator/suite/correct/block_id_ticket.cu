// check: --kernel TicketedCopy --grid 6 --block 40 --arg float32[240]=uniform
//        --arg float32[240]=unwritten --arg uint32[1]=zeros
// expect: clean
// Blocks take their slice by an atomic ticket in the order of their arrival.
__global__ void TicketedCopy(const float* x, float* out, unsigned* next_slice) {
  __shared__ unsigned slice;
  if (threadIdx.x == 0) slice = atomicAdd(next_slice, 1u);
  __syncthreads();
  const int i = slice * blockDim.x + threadIdx.x;
  out[i] = -x[i];
}
