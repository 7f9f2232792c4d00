// check: --kernel k --grid 4 --block 64 --arg int32[256]=index --arg int32[4]=zeros
//        --arg uint32[1]=zeros --arg int32[1]=zeros
// expect: race -- no fence between the partial sum and the ticket: the last block may read an old
//         part
// line: 16
__global__ void k(const int* in, int* part, unsigned* ticket, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      int total = 0;
      for (int b = 0; b < 4; ++b) total += part[b];
      *out = total;
    }
  }
}
