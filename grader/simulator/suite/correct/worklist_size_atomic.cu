// check: --kernel k --grid 2 --block 32 --arg int32[64]=index --arg int32[1]=zeros
//        --arg int32[64]=zeros
// Each place is given to one thread.
__global__ void k(const int* in, int* size, int* list) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[v] % 2) list[atomicAdd(size, 1)] = v;
}
