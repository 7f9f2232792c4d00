// check: --kernel TwoSums --grid 2 --block 64 --arg int32[250]=integers
//        --arg int32[128]=unwritten --arg int32=250
// expect: clean
// Thread 33 keeps a sum in shared memory that no other thread reads before the barrier; thread 40
// reads back what it stored itself.
__global__ void TwoSums(const int* in, int* out, int n) {
  __shared__ int sum;
  __shared__ int own;
  const int t = threadIdx.x;
  int seen = 0;
  if (t == 33) sum = 0;
  for (int j = 0; j < n / 10; ++j) {
    seen += in[j];
    if (t == 33 && seen > 3) sum = sum + seen;
  }
  int result = 0;
  if (t == 40) {
    own = in[1];
    result = own > 2 ? 1 : 2;
  }
  if (t == 40 && own == 3) result += 5;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = result + sum + own;
}
