// check: --kernel k --grid 2 --block 32 --arg int32[128]=index
// The half that is read through __ldg() is never written by the launch.
__global__ void k(int* a) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  a[64 + i] = __ldg(a + 63 - i) * 2;
}
