// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: race -- after a divergent branch lanes need not reconverge: the read after it is not
//         ordered
// line: 11
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  if (t & 1) s[t] = t;
  out[t] = s[t ^ 1];
}
