// Barriers, fences, shuffles, votes, matches, reductions.
__global__ void warps(int* i, unsigned int* u, long long* l, unsigned long long* ul, float* f,
                      double* d) {
  constexpr unsigned int kAll = 0xffffffffu;
  __syncthreads();
  i[0] = __syncthreads_count(i[1] > 2) + __syncthreads_and(i[2]) + __syncthreads_or(i[3]);
  __syncwarp();
  __syncwarp(kAll);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  i[1] = __shfl_sync(kAll, i[0], 3) + __shfl_up_sync(kAll, i[0], 1u) +
         __shfl_down_sync(kAll, i[0], 1u) + __shfl_xor_sync(kAll, i[0], 16);
  u[1] = __shfl_sync(kAll, u[0], 3, 8) + __shfl_up_sync(kAll, u[0], 1u, 16);
  f[1] = __shfl_sync(kAll, f[0], 0) + __shfl_down_sync(kAll, f[0], 2u, 4);
  d[1] = __shfl_sync(kAll, d[0], 0) + __shfl_xor_sync(kAll, d[0], 1, 2);
  l[1] = __shfl_up_sync(kAll, l[0], 4u);
  ul[1] = __shfl_down_sync(kAll, ul[0], 4u);
  const char c = __shfl_sync(kAll, static_cast<char>(i[2]), 1);
  const long plain = __shfl_sync(kAll, static_cast<long>(l[2]), 1);
  i[2] = __all_sync(kAll, i[1]) + __any_sync(kAll, i[1]) + __uni_sync(kAll, i[1]) + c +
         static_cast<int>(plain);
  u[2] = __ballot_sync(kAll, i[1] > 3) + __activemask();
  int all = 0;
  u[3] = __match_any_sync(kAll, i[1]) + __match_any_sync(kAll, d[1]) +
         __match_all_sync(kAll, u[1], &all) + __match_all_sync(kAll, l[1], &all) +
         __match_any_sync(kAll, f[1]);
  i[3] = all + __reduce_add_sync(kAll, i[1]) + __reduce_min_sync(kAll, i[1]) +
         __reduce_max_sync(kAll, i[1]);
  u[4] = __reduce_add_sync(kAll, u[1]) + __reduce_min_sync(kAll, u[1]) +
         __reduce_max_sync(kAll, u[1]) + __reduce_and_sync(kAll, u[1]) +
         __reduce_or_sync(kAll, u[1]) + __reduce_xor_sync(kAll, u[1]);
}
