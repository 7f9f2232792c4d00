// check: --kernel histogram --grid 1 --block 64 --arg int32[64]=integers --arg int32[64]=unwritten
// A thread may have 512 KiB of local memory.
__global__ void histogram(const int* values, int* out) {
  int counts[20000];
  for (int i = 0; i < 20000; i += 100) counts[i] = 0;
  const int at = (values[threadIdx.x] + 99) * 100;
  counts[at % 20000] += 3;
  int sum = 0;
  for (int i = 0; i < 20000; i += 100) sum += counts[i];
  out[threadIdx.x] = sum;
}
