// check: --kernel k --grid 2 --block 1 --arg int32[2]=zeros --arg int32[8]=zeros
// expect: race -- a block takes from its own queue with block scope while the other block steals
//         from it with device scope
// line: 11
__global__ void k(int* head, int* done) {
  const int me = blockIdx.x;
  for (int i = 0; i < 2; ++i) {
    const int mine = atomicAdd_block(head + me, 1);
    if (mine < 4) atomicAdd(done + me * 4 + mine, 1);
  }
  const int stolen = atomicAdd(head + (1 - me), 1);
  if (stolen < 4) atomicAdd(done + (1 - me) * 4 + stolen, 1);
}
