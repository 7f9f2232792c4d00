// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[64]=zeros
// expect: race -- two blocks draw work from one queue with block-scope atomics: both may get the
//         same item
// line: 6
__global__ void k(int* head, int* done) {
  const int item = atomicAdd_block(head, 1);
  if (item < 64) done[item] += 1;
}
