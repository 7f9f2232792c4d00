// check: --kernel ReverseRows --grid 1 --block 80 --arg float64[80]=uniform
//        --arg float64[80]=unwritten
// expect: bad-launch -- 80 x 80 doubles are more than the 48 KB of static shared memory
// Outer products of a vector in shared memory, read back across.
__global__ void ReverseRows(const double* x, double* out) {
  __shared__ double products[80][80];
  const int tid = threadIdx.x;
  for (int k = 0; k < 80; ++k) products[tid][k] = x[tid] * k;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < 80; ++k) sum += products[k][tid];
  out[tid] = sum;
}
