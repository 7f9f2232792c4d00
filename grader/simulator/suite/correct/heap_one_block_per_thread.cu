// check: --kernel k --grid 2 --block 32 --arg int32[64]=zeros
// Every thread writes its block of the heap before reading it, and frees it once.
__global__ void k(int* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  volatile int* p = (int*)malloc(8 * sizeof(int));
  if (p == nullptr) return;
  for (int j = 0; j < 8; ++j) p[j] = i + j;
  out[i] = p[7] - p[0];
  free((void*)p);
}
