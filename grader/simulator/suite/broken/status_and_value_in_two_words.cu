// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[4]=zeros
//        --arg int32[4]=zeros --arg int32[4]=zeros
// expect: race -- the value lies in a word of its own and is plain; the status is volatile, with no
//         fence
// line: 14
__global__ void k(int* next, volatile int* state, int* value, int* out) {
  const int b = atomicAdd(next, 1);
  int sum = 0;
  if (b > 0) {
    while (state[b - 1] == 0) {
    }
    sum = value[b - 1];
  }
  value[b] = sum + b;
  state[b] = 1;
  out[b] = sum;
}
