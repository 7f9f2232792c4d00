// Integer and bit intrinsics, reinterpretation, address spaces, clocks.
__global__ void bits(int* i, unsigned int* u, long long* l, unsigned long long* ul, float* f,
                     double* d) {
  i[0] = __clz(i[1]) + __ffs(i[2]) + __popc(u[0]) + __clzll(l[0]) + __ffsll(l[1]) + __popcll(ul[0]);
  u[1] =
      __brev(u[2]) + __byte_perm(u[3], u[4], 0x3210) + __umul24(u[5], u[6]) + __usad(1u, u[7], 3u);
  ul[1] = __brevll(ul[2]) + __umul64hi(ul[3], ul[4]);
  i[1] = __mul24(i[3], i[4]) + __mulhi(i[5], i[6]) + __hadd(i[1], i[2]) + __rhadd(i[1], i[2]);
  u[2] =
      __umulhi(u[1], u[2]) + __sad(i[0], i[1], u[2]) + __uhadd(u[0], u[1]) + __urhadd(u[0], u[1]);
  l[2] = __mul64hi(l[3], l[4]);
  u[3] = __funnelshift_l(u[0], u[1], 3) + __funnelshift_r(u[0], u[1], 3) +
         __funnelshift_lc(u[0], u[1], 35) + __funnelshift_rc(u[0], u[1], 35);
  f[0] = __int_as_float(i[0]) + __uint_as_float(u[0]);
  i[2] = __float_as_int(f[0]);
  u[4] = __float_as_uint(f[0]);
  d[0] = __longlong_as_double(l[0]) + __hiloint2double(i[0], i[1]);
  l[0] = __double_as_longlong(d[0]);
  i[3] = __double2hiint(d[0]) + __double2loint(d[0]);
  i[4] = __dp4a(i[0], i[1], i[2]);
  u[5] = __dp4a(u[0], u[1], u[2]);
  i[5] = __dp2a_lo(i[0], i[1], i[2]) + __dp2a_hi(i[0], i[1], i[2]);
  i[6] = min(i[0], i[1]) + max(i[2], 3) + abs(i[3]);
  u[6] = min(u[0], 7u) + max(u[1], i[0]) + umin(u[0], u[1]) + umax(u[2], u[3]);
  l[3] = min(l[0], l[1]) + max(l[1], 5ll) + llabs(l[2]) + llmin(l[0], l[1]) + llmax(l[0], l[1]);
  ul[3] = min(ul[0], ul[1]) + max(ul[1], 5ull) + ullmin(ul[0], ul[1]) + ullmax(ul[0], ul[1]);
  l[4] = clock64() + clock();
  __shared__ int local[1];
  u[7] = __isShared(local) + __isGlobal(i) + __isLocal(i) + __isConstant(i) +
         static_cast<unsigned int>(__cvta_generic_to_shared(local)) +
         static_cast<unsigned int>(__cvta_generic_to_global(i));
  __nanosleep(10);
  __builtin_assume(i[0] > 0);
  i[7] = __float2int_rn(f[1]) + __float2int_rz(f[1]) + __float2int_ru(f[1]) + __float2int_rd(f[1]);
  u[8] = __float2uint_rn(f[1]) + __double2uint_rz(d[1]);
  l[5] = __float2ll_rn(f[1]) + __double2ll_rd(d[1]);
  ul[5] = __float2ull_ru(f[1]) + __double2ull_rz(d[1]);
  f[1] = __int2float_rn(i[0]) + __uint2float_rz(u[0]) + __ll2float_ru(l[0]) +
         __ull2float_rd(ul[0]) + __double2float_rn(d[0]) + __double2float_rz(d[0]);
  d[1] = __int2double_rn(i[0]) + __uint2double_rn(u[0]) + __ll2double_rn(l[0]) +
         __ull2double_rz(ul[0]);
  i[8] = __double2int_rn(d[1]) + __double2int_ru(d[1]);
}
