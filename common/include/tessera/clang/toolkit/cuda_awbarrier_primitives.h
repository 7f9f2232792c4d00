// Barriers in shared memory for Clang, which compiles without the CUDA Toolkit: the functions of
// the Toolkit's header, as the instructions mbarrier of the PTX ISA.
#pragma once
#pragma clang system_header

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

__TESSERA_FN unsigned int __tessera_address(const __mbarrier_t* barrier) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
}

__TESSERA_FN unsigned int __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}

__TESSERA_FN void __mbarrier_init(__mbarrier_t* barrier, unsigned int expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__tessera_address(barrier)),
               "r"(expected_count)
               : "memory");
}

__TESSERA_FN void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__tessera_address(barrier)) : "memory");
}

__TESSERA_FN __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__tessera_address(barrier))
               : "memory");
  return token;
}

__TESSERA_FN __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__tessera_address(barrier))
               : "memory");
  return token;
}

__TESSERA_FN bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  unsigned int complete;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(complete)
               : "r"(__tessera_address(barrier)), "l"(token)
               : "memory");
  return complete != 0;
}

__TESSERA_FN bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
  unsigned int complete;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(complete)
      : "r"(__tessera_address(barrier)), "r"(static_cast<unsigned int>(phase_parity))
      : "memory");
  return complete != 0;
}

/// A look that may last. It need not, so these look once.
__TESSERA_FN bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                      unsigned int /*max_sleep_nanosec*/) {
  return __mbarrier_test_wait(barrier, token);
}
__TESSERA_FN bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity,
                                             unsigned int /*max_sleep_nanosec*/) {
  return __mbarrier_test_wait_parity(barrier, phase_parity);
}

__TESSERA_FN unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned int pending;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
  return pending;
}
