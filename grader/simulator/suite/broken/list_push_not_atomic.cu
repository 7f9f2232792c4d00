// check: --kernel PushNodes --grid 2 --block 32 --arg int32[1]=zeros --arg int32[65]=unwritten
// expect: race -- threads read and replace the head of the list without an exchange
// line: 7, 9
// Pushes one node for each thread on a list; node 0 marks the end.
__global__ void PushNodes(int* head, int* next) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int first = *head;
  next[node] = first;
  *head = node;
}
