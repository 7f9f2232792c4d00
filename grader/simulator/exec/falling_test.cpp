// Warps of a block in falling order (RunRequest::turns), and the kernels for which the order may
// matter (KernelInfo::talks).
#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using Values = std::vector<std::uint32_t>;

/// Four warps, with the thread's number in %t, its warp's in %w and its lane in %lane; `out` has a
/// word for each thread, `ticket` is one word.
PtxProgram warps_program(const std::string& body, Turns turns) {
  PtxProgram program(
      ".reg .b32 %t, %w, %lane; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; and.b32 %lane, %t, 31;\n" +
      body);
  program.shape.block = {128, 1, 1};
  program.turns = turns;
  program.buffer("out", Values(256, 0));
  program.buffer("ticket", Values(1, 0));
  return program;
}

/// What the first thread of each warp leaves in `out`.
Values of_each_warp(PtxProgram& program) {
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  const Values out = program.contents<std::uint32_t>("out");
  return {out[0], out[32], out[64], out[96]};
}

Values of_each_warp(const std::string& body, Turns turns) {
  PtxProgram program = warps_program(body, turns);
  return of_each_warp(program);
}

const std::string kTakeTicket = R"(
    setp.ne.u32 %p0, %lane, 0; @%p0 bra TOOK; atom.global.add.u32 %r0, [%ticket], 1;
    st.global.u32 [%out_at], %r0; TOOK:
)";

TEST(FallingOrder, StartsWithTheLastWarp) {
  EXPECT_EQ(of_each_warp(kTakeTicket, Turns::usual), (Values{0, 1, 2, 3}));
  EXPECT_EQ(of_each_warp(kTakeTicket, Turns::falling), (Values{3, 2, 1, 0}));
}

TEST(FallingOrder, TurnsEveryPairOfWarpsAround) {
  // Whichever of two warps comes first, in the other order it comes second: after barriers too.
  for (int barriers = 0; barriers < 6; ++barriers) {
    SCOPED_TRACE(barriers);
    std::string body;
    for (int i = 0; i < barriers; ++i) body += "bar.sync 0; ";
    const Values rising = of_each_warp(body + kTakeTicket, Turns::usual);
    const Values falling = of_each_warp(body + kTakeTicket, Turns::falling);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = a + 1; b < 4; ++b)
        EXPECT_NE(rising[a] < rising[b], falling[a] < falling[b]) << a << " and " << b;
    }
  }
}

TEST(FallingOrder, GivesAWarpALongTurn) {
  // Each warp says that it has started, works for as long as several short turns, and looks whether
  // the one at the other end has started.
  const std::string body = R"(
    mad.wide.u32 %rd0, %w, 4, %out; st.volatile.global.u32 [%rd0+512], 1; mov.u32 %r1, 0;
  WORK:
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 20000; @%p1 bra WORK;
    sub.u32 %r2, 3, %w; mad.wide.u32 %rd1, %r2, 4, %out; ld.volatile.global.u32 %r3, [%rd1+512];
    st.global.u32 [%out_at], %r3;)";
  EXPECT_EQ(of_each_warp(body, Turns::usual), (Values{1, 1, 1, 1}));
  EXPECT_EQ(of_each_warp(body, Turns::falling), (Values{1, 1, 0, 0}));
}

TEST(FallingOrder, ShowsWhatVolatileHides) {
  // Warp 1 reads what warp 0 stores, without a barrier: right in rising order alone.
  const std::string exchange = R"(
    .shared .align 4 .b8 tile[512]; mov.u32 %r0, tile; mad.lo.u32 %r0, %t, 4, %r0;
    add.u32 %r1, %t, 100; st.volatile.shared.u32 [%r0], %r1; setp.eq.u32 %p0, %w, 0; @%p0 bra END;
    ld.volatile.shared.u32 %r2, [%r0+-128]; st.global.u32 [%out_at], %r2; END:
)";
  EXPECT_EQ(of_each_warp(exchange, Turns::usual), (Values{0, 100, 132, 164}));
  const Values falling = of_each_warp(exchange, Turns::falling);
  EXPECT_NE(falling, (Values{0, 100, 132, 164}));
}

TEST(Sleeping, GivesTheOtherWarpsTime) {
  // Warp 0 stores after a sleep, and the others read before it ends, in every order.
  const std::string body = R"(
    setp.ne.u32 %p0, %w, 0; @%p0 bra READ;
    nanosleep.u32 100000; st.volatile.global.u32 [%out+512], 1; bra END;
  READ:
    mov.u32 %r1, 0;
  WORK:
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5000; @%p1 bra WORK;
    ld.volatile.global.u32 %r3, [%out+512]; add.u32 %r3, %r3, 7; st.global.u32 [%out_at], %r3;
  END:)";
  for (const Turns turns : {Turns::usual, Turns::falling, Turns::single, Turns::drawn})
    EXPECT_EQ(of_each_warp(body, turns), (Values{0, 7, 7, 7}));
}

TEST(Sleeping, EndsWhenAllOthersWait) {
  // Three warps wait for what warp 0 stores between two sleeps; then all meet at a barrier.
  const std::string body = R"(
    setp.ne.u32 %p0, %w, 0; @%p0 bra AWAIT;
    nanosleep.u32 1000; st.volatile.global.u32 [%out+512], 1; nanosleep.u32 4294967295; bra MEET;
  AWAIT:
    nanosleep.u32 20; ld.volatile.global.u32 %r3, [%out+512]; setp.eq.u32 %p1, %r3, 0;
    @%p1 bra AWAIT;
  MEET:
    bar.sync 0; ld.volatile.global.u32 %r3, [%out+512]; st.global.u32 [%out_at], %r3;)";
  for (const Turns turns : {Turns::usual, Turns::falling, Turns::single, Turns::drawn})
    EXPECT_EQ(of_each_warp(body, turns), (Values{1, 1, 1, 1}));
}

/// Runs the kernel in all orders; expects no findings and the same words in `out`.
void expect_same_in_both_orders(const std::string& body) {
  std::vector<Values> out;
  for (const Turns turns :
       {Turns::usual, Turns::falling, Turns::falling_warps, Turns::single, Turns::drawn}) {
    PtxProgram program = warps_program(body, turns);
    program.shape.grid = {2, 1, 1};
    expect_clean(program.run());
    out.push_back(program.contents<std::uint32_t>("out"));
  }
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(out[0], out[2]);
  EXPECT_EQ(out[0], out[3]);
  EXPECT_NE(out[0], Values(256, 0));
}

TEST(FallingOrder, ChangesNothingWhereBarriersOrder) {
  expect_same_in_both_orders(R"(
    .shared .align 4 .b8 tile[512]; mov.u32 %r0, tile; mad.lo.u32 %r1, %t, 4, %r0;
    st.shared.u32 [%r1], %t; bar.sync 0; xor.b32 %r2, %t, 96; mad.lo.u32 %r2, %r2, 4, %r0;
    ld.shared.u32 %r3, [%r2]; st.global.u32 [%out_at], %r3;)");
}

TEST(FallingOrder, ChangesNothingWhereALockOrders) {
  expect_same_in_both_orders(R"(
    .shared .align 4 .u32 lock; .shared .align 4 .u32 sum; setp.eq.u32 %p9, %t, 0;
    @%p9 st.shared.u32 [lock], 0; @%p9 st.shared.u32 [sum], 0; bar.sync 0;
    setp.ne.u32 %p0, %lane, 0; @%p0 bra DONE;
  TAKE:
    atom.shared.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TAKE;
    membar.cta; ld.shared.u32 %r2, [sum]; add.u32 %r2, %r2, %t; st.shared.u32 [sum], %r2;
    membar.cta; atom.shared.exch.b32 %r1, [lock], 0;
  DONE:
    bar.sync 0; ld.shared.u32 %r3, [sum];
    st.global.u32 [%out_at], %r3;)");
}

/// Each warp but the `first` waits until the one `step` before it has passed on the sum of those
/// before.
std::string relay(int first, int step) {
  return fmt::format(R"(
    .shared .align 4 .b8 flags[16]; .shared .align 4 .b8 sums[16]; mov.u32 %r0, flags;
    mov.u32 %r1, sums; mad.lo.u32 %r0, %w, 4, %r0; mad.lo.u32 %r1, %w, 4, %r1;
    setp.ne.u32 %p0, %lane, 0; @!%p0 st.shared.u32 [%r0], 0; bar.sync 0; @%p0 bra DONE;
    mov.u32 %r2, 7; setp.eq.u32 %p1, %w, {0}; @%p1 bra PASS;
  WAIT:
    ld.volatile.shared.u32 %r3, [%r0+{1}]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAIT;
    membar.cta; ld.shared.u32 %r2, [%r1+{1}]; add.u32 %r2, %r2, %w;
  PASS:
    st.shared.u32 [%r1], %r2; membar.cta; st.volatile.shared.u32 [%r0], 1;
    st.global.u32 [%out_at], %r2;
  DONE:
)",
                     first, -4 * step);
}

TEST(FallingOrder, ChangesNothingWhereAFlagIsWaitedFor) {
  expect_same_in_both_orders(relay(0, 1));
  expect_same_in_both_orders(relay(3, -1));
}

TEST(FallingOrder, ChangesNothingWhereLanesWaitForEachOther) {
  expect_same_in_both_orders(R"(
    .shared .align 4 .u32 flag; setp.eq.u32 %p9, %t, 0; @%p9 st.shared.u32 [flag], 0; bar.sync 0;
    setp.eq.u32 %p0, %t, 64; @%p0 bra SIGNAL;
  WAIT:
    atom.shared.or.b32 %r0, [flag], 0; setp.eq.u32 %p1, %r0, 0; @%p1 bra WAIT; bra DONE;
  SIGNAL:
    atom.shared.exch.b32 %r0, [flag], 5; mov.u32 %r0, 5;
  DONE:
    st.global.u32 [%out_at], %r0;)");
}

TEST(FallingOrder, GivesLongTurnsToAnImpatientBlockToo) {
  // Lanes 0 and 1 of warp 3 wait for each other again and again. The other warps work for a while,
  // and look whether warp 0 has started.
  const std::string body = R"(
    mov.u32 %r9, 0; setp.ne.u32 %p0, %w, 3; @%p0 bra WORKS; setp.gt.u32 %p0, %lane, 1; @%p0 bra END;
  AGAIN:
    mad.wide.u32 %rd0, %r9, 4, %out; setp.eq.u32 %p1, %lane, 1; @%p1 bra SET;
  WAIT:
    ld.volatile.global.u32 %r1, [%rd0+896]; setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT; bra NEXT;
  SET:
    st.volatile.global.u32 [%rd0+896], 1;
  NEXT:
    add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 12; @%p3 bra AGAIN; bra END;
  WORKS:
    mad.wide.u32 %rd0, %w, 4, %out; st.volatile.global.u32 [%rd0+512], 1; mov.u32 %r1, 0;
  WORK:
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1500; @%p1 bra WORK;
    ld.volatile.global.u32 %r3, [%out+512]; st.global.u32 [%out_at], %r3;
  END:)";
  const Values falling = of_each_warp(body, Turns::falling);
  EXPECT_EQ(falling[2], 0u) << "warp 2 ends before warp 0 starts";
  EXPECT_EQ(falling[1], 0u);
}

TEST(FallingOrder, OfWarpsAloneLetsBlocksWaitForLowerOnes) {
  const std::string chain = R"(
    mov.u32 %r9, %ctaid.x; mad.wide.u32 %rd0, %r9, 4, %flags; setp.eq.u32 %p0, %r9, 0; @%p0 bra PASS;
  WAIT:
    ld.volatile.global.u32 %r1, [%rd0+-4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;
  PASS:
    membar.gl; st.volatile.global.u32 [%rd0], 1; st.global.u32 [%out_at], %w;)";
  for (const Turns turns : {Turns::falling, Turns::falling_warps}) {
    PtxProgram program = warps_program(chain, turns);
    program.shape.grid = {2, 1, 1};
    program.buffer("flags", Values(2, 0));
    program.step_limit = 100'000;
    EXPECT_EQ(program.run().status == RunStatus::completed, turns == Turns::falling_warps);
  }
}

TEST(FallingOrder, StartsEveryBlockAnew) {
  PtxProgram program = warps_program(kTakeTicket, Turns::falling);
  program.shape.grid = {2, 1, 1};
  EXPECT_EQ(of_each_warp(program), (Values{7, 6, 5, 4})) << "the last block is the first";
  EXPECT_EQ(program.contents<std::uint32_t>("out")[128], 3u);
}

KernelInfo kernel_info(const std::string& body, const std::string& module_scope = "") {
  PtxProgram program(".shared .align 16 .b8 tile[64];\n" + body, module_scope);
  program.buffer("data", Values(64, 0));
  const auto module = load_module(program.text());
  EXPECT_TRUE(module);
  return module ? kernels(**module).front() : KernelInfo();
}

bool kernel_talks(const std::string& body, const std::string& module_scope = "") {
  return kernel_info(body, module_scope).talks;
}

TEST(Talks, ByAtomicsAndVolatileAccesses) {
  for (const char* talking :
       {"atom.global.add.u32 %r0, [%data], 1;", "atom.shared.exch.b32 %r0, [tile], 1;",
        "atom.add.u32 %r0, [%data], 1;", "red.global.add.u32 [%data], 1;",
        "red.shared.max.u32 [tile], 1;", "ld.volatile.global.u32 %r0, [%data];",
        "ld.volatile.shared.u32 %r0, [tile];", "st.volatile.shared.u32 [tile], 1;",
        "st.volatile.u32 [%data], 1;", "ld.relaxed.gpu.global.u32 %r0, [%data];",
        "ld.acquire.cta.shared.u32 %r0, [tile];", "st.release.gpu.global.u32 [%data], 1;",
        "ld.acquire.cta.shared::cta.u32 %r0, [tile];"}) {
    EXPECT_TRUE(kernel_talks(talking)) << talking;
  }
}

TEST(Talks, ByABarrierOfAPartOfTheBlock) {
  const auto order_matters = [](const std::string& body, std::uint32_t threads) {
    LaunchShape shape;
    shape.block = {threads, 1, 1};
    return kernel_info(body).order_matters(shape);
  };
  EXPECT_FALSE(order_matters("bar.sync 0;", 128));
  EXPECT_FALSE(order_matters("bar.sync 1, 128; bar.red.popc.u32 %r0, 2, 128, %p0;", 128));
  EXPECT_FALSE(order_matters("bar.sync 1, 128;", 100)) << "four warps";
  EXPECT_TRUE(order_matters("bar.sync 1, 128;", 160));
  EXPECT_TRUE(order_matters("bar.sync 1, 128; bar.sync 2, 64;", 128));
  EXPECT_TRUE(order_matters("mov.u32 %r0, 128; bar.sync 1, %r0;", 128)) << "not known";
  EXPECT_TRUE(order_matters("bar.arrive 1, 128;", 128));
  EXPECT_FALSE(kernel_info("bar.sync 1, 64;").blocks_talk);
}

TEST(Talks, ByLoadsOnlyIfSomethingReadsWhatAnAtomicReturns) {
  for (const char* dropped :
       {"atom.global.add.u32 %r0, [%data], 1;", "atom.shared.or.b32 _, [tile], 1;",
        "red.global.add.u32 [%data], 1;", "st.volatile.shared.u32 [tile], 1;"}) {
    EXPECT_TRUE(kernel_info(dropped).talks) << dropped;
    EXPECT_FALSE(kernel_info(dropped).loads_talk) << dropped;
  }
  for (const char* read :
       {"atom.global.add.u32 %r0, [%data], 1; st.global.u32 [%data], %r0;",
        "atom.global.add.u32 %r0, [%data], 1; mov.u32 %r0, 1;",
        "mov.u32 %r0, 1; atom.global.add.u32 %r0, [%data], %r0;",
        "atom.shared.exch.b32 _, [tile], 1;", "atom.global.cas.b32 %r0, [%data], 0, 1;",
        "mbarrier.init.shared.b64 [tile], 1;", "ld.volatile.global.u32 %r0, [%data];"}) {
    EXPECT_TRUE(kernel_info(read).loads_talk) << read;
  }
}

TEST(Talks, NotByPlainAccessesBarriersOrWarpFunctions) {
  EXPECT_FALSE(kernel_talks(R"(
    ld.global.u32 %r0, [%data_at]; st.shared.u32 [tile], %r0; bar.sync 0; membar.gl; membar.cta;
    ld.shared.u32 %r1, [tile]; ld.global.nc.u32 %r2, [%data_at]; bar.warp.sync -1;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; st.global.u32 [%data_at], %r3;)"));
}

TEST(Talks, InTheFunctionsThatItCalls) {
  const std::string quiet = ".func quiet() { bar.sync 0; ret; }\n";
  const std::string loud =
      ".global .align 4 .u32 count;\n.func loud() { red.global.add.u32 [count], 1; ret; }\n";
  const std::string relay = ".func relay() { call.uni loud, (); ret; }\n";
  EXPECT_FALSE(kernel_talks("call.uni quiet, ();", quiet + loud + relay));
  EXPECT_TRUE(kernel_talks("call.uni loud, ();", quiet + loud + relay));
  EXPECT_TRUE(kernel_talks("call.uni relay, ();", quiet + loud + relay));
}

}  // namespace
}  // namespace tessera::test
