// The 16 x 16 tiled product of solutions/03-tiled in OpenCL C: each work-group computes one tile.
#define TILE 16

kernel void product(global const float* A, global const float* B, global float* C, int n) {
  local float As[TILE][TILE];
  local float Bs[TILE][TILE];
  const int row = get_group_id(1) * TILE + get_local_id(1);
  const int col = get_group_id(0) * TILE + get_local_id(0);
  float sum = 0.0f;
  for (int start = 0; start < n; start += TILE) {
    As[get_local_id(1)][get_local_id(0)] = A[row * n + start + get_local_id(0)];
    Bs[get_local_id(1)][get_local_id(0)] = B[(start + get_local_id(1)) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < TILE; ++p) sum += As[get_local_id(1)][p] * Bs[p][get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + col] = sum;
}
