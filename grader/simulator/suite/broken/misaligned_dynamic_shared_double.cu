// check: --kernel k --grid 1 --block 4 --shared 64 --arg float64[4]=zeros
// expect: misaligned -- doubles begin behind one int, at byte 4
// line: 7, 9
__global__ void k(double* out) {
  extern __shared__ int s[];
  double* d = (double*)(s + 1);
  d[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = d[3 - threadIdx.x];
}
