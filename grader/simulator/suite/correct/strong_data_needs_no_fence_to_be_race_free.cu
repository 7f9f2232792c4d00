// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// Both accesses of data are atomic with device scope: whichever value is read, there is no data
// race.
__global__ void k(int* data, int* out) {
  if (blockIdx.x == 0)
    atomicExch(data, 5);
  else
    *out = atomicAdd(data, 0);
}
