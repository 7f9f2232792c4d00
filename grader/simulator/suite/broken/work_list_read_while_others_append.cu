// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[8]=zeros
//        --arg int32[4]=zeros
// expect: race -- the size is atomic, but an entry is read after nothing but the size has been
//         seen: it may not be written yet
// line: 10
__global__ void k(int* size, int* list, int* out) {
  const int b = blockIdx.x;
  const int at = atomicAdd(size, 1);
  list[at] = b;
  if (at > 0) out[b] = list[at - 1];
}
