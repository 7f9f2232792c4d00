// check: --kernel EdgeFlags --grid 2 --block 100 --arg uint8[200]=integers
//        --arg uint8[200]=unwritten
// expect: clean
// Neighbouring threads write neighbouring bytes of one word: distinct bytes are no race.
__global__ void EdgeFlags(const unsigned char* pixels, unsigned char* edges) {
  __shared__ unsigned char bright[100];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  bright[tid] = pixels[i] >= 4;
  __syncthreads();
  const int left = max(tid - 1, 0);
  edges[i] = bright[tid] != bright[left];
}
