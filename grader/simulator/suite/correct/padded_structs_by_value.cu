// check: --kernel pass_around --grid 2 --block 64 --arg int32[128]=index --arg int32[128]=unwritten
// expect: clean
// Structs with padding are copied to shared memory, out of it, into local arrays and to functions
// by value; only their members are used.
struct Mixed {
  char tag;
  short count;
  int value;
  double weight;
};

struct Narrow {
  char tag;
  short count;
};

struct Nothing {};

__device__ __noinline__ int weighed(Mixed m, Narrow n, Nothing) {
  return m.tag + m.count * m.value + static_cast<int>(m.weight) + (n.count >> 1) - n.tag;
}

__device__ __noinline__ Mixed doubled(Mixed m) {
  m.value *= 2;
  return m;
}

__global__ void pass_around(const int* in, int* out) {
  __shared__ Mixed mixed[64];
  __shared__ Narrow narrow[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  mixed[t].tag = static_cast<char>(in[i] & 7);
  mixed[t].count = static_cast<short>(in[i] + 1);
  mixed[t].value = in[i];
  mixed[t].weight = 0.5 * in[i];
  narrow[t].tag = static_cast<char>(t & 3);
  narrow[t].count = static_cast<short>(t);
  __syncthreads();
  Mixed mine[4];
  Narrow small[4];
  for (int k = 0; k < 4; ++k) {
    mine[(k + t) % 4] = doubled(mixed[(t + k) % 64]);
    small[(k + t) % 4] = narrow[(t + k) % 64];
  }
  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += weighed(mine[k], small[k], Nothing());
  if (narrow[t].tag == 2 && narrow[t].count > 3) ++sum;
  out[i] = sum;
}
