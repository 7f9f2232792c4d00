// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[64]=zeros
// AtomicAdd of device scope gives each item to exactly one thread.
__global__ void k(int* head, int* done) {
  const int item = atomicAdd(head, 1);
  if (item < 64) done[item] += 1;
}
