// check: --kernel k --grid 1 --block 32 --arg int32[64]=zeros
// Padding is copied with the struct but no value depends on it.
struct Pair {
  char tag;
  int value;
};
__global__ void k(Pair* out) {
  __shared__ Pair s[32];
  const int t = threadIdx.x;
  s[t].tag = (char)t;
  s[t].value = t;
  __syncthreads();
  out[t] = s[31 - t];
}
