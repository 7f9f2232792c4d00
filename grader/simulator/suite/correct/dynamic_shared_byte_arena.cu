// check: --kernel TagNeighbours --grid 2 --block 40 --shared 240 --arg int32[80]=integers
//        --arg int32[80]=unwritten
// expect: clean
// Ints and bytes carved out of one byte arena; the widest type comes first.
extern __shared__ __align__(16) unsigned char arena[];

__global__ void TagNeighbours(const int* x, int* out) {
  int* values = reinterpret_cast<int*>(arena);
  unsigned char* tags = arena + blockDim.x * sizeof(int);
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  values[tid] = x[i];
  tags[tid] = x[i] & 1;
  __syncthreads();
  const int right = (tid + 1) % blockDim.x;
  out[i] = tags[right] ? values[right] : -values[right];
}
