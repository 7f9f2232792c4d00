// MemoryOrder alone: what fences, one flag and barriers order.
#include "grader/simulator/testing/order_actor.h"

namespace tessera::sim {
namespace {

TEST_F(MemoryOrderTest, WithoutFlagsNothingIsOrdered) {
  start_block();
  const Moment write = actor(0).access();
  start_block();
  EXPECT_FALSE(order.ordered(write, actor(0).access()));
}

TEST_F(MemoryOrderTest, AFenceAndAFlagOrderWhatCameBefore) {
  start_block();
  Actor producer = actor(0);
  const Moment before = producer.access();
  producer.fence();
  const Moment between = producer.access();
  producer.release(kFlag);
  const Moment after = producer.access();
  start_block();
  Actor consumer = actor(5);
  const Moment early = consumer.access();
  EXPECT_FALSE(order.ordered(before, early));
  consumer.acquire(kFlag);
  const Moment late = consumer.access();
  EXPECT_TRUE(order.ordered(before, late));
  EXPECT_FALSE(order.ordered(between, late));
  EXPECT_FALSE(order.ordered(after, late));
}

TEST_F(MemoryOrderTest, AFlagWithoutAFenceReleasesNothing) {
  start_block();
  Actor producer = actor(0);
  const Moment write = producer.access();
  producer.release(kFlag);
  EXPECT_FALSE(next_block_sees(write));
}

TEST_F(MemoryOrderTest, AFenceOfTheBlockReachesItsBlockAlone) {
  start_block();
  Actor producer = actor(0);
  const Moment write = producer.access();
  producer.fence_block();
  producer.release(kFlag);
  Actor neighbour = actor(32);
  neighbour.acquire(kFlag);
  EXPECT_TRUE(order.ordered(write, neighbour.access()));
  EXPECT_FALSE(next_block_sees(write));
}

TEST_F(MemoryOrderTest, OnlyTheFlagThatWasSetOrders) {
  const Moment write = write_and_release();
  EXPECT_FALSE(next_block_sees(write, kSecondFlag));
}

TEST_F(MemoryOrderTest, AReleaseCoversNothingOfAnotherThread) {
  start_block();
  const Moment write = actor(40).access();
  Actor other = actor(0);
  other.fence();
  other.release(kFlag);
  EXPECT_FALSE(next_block_sees(write));
}

TEST_F(MemoryOrderTest, AnAcquisitionCoversOnlyEarlierReleases) {
  start_block();
  Actor producer = actor(0), consumer = actor(32);
  const Moment first = producer.access();
  producer.fence();
  producer.release(kFlag);
  consumer.acquire(kFlag);
  const Moment second = producer.access();
  producer.fence();
  producer.release(kFlag);
  EXPECT_TRUE(order.ordered(first, consumer.access()));
  EXPECT_FALSE(order.ordered(second, consumer.access()));
  consumer.acquire(kFlag);
  EXPECT_TRUE(order.ordered(second, consumer.access()));
}

TEST_F(MemoryOrderTest, AnAcquisitionBeforeTheReleaseOrdersNothing) {
  start_block();
  Actor producer = actor(0), consumer = actor(32);
  consumer.acquire(kFlag);
  const Moment write = producer.access();
  producer.fence();
  producer.release(kFlag);
  EXPECT_FALSE(order.ordered(write, consumer.access()));
}

TEST_F(MemoryOrderTest, OnlyTheThreadThatReadTheFlagAcquired) {
  const Moment write = write_and_release();
  start_block();
  actor(0).acquire(kFlag);
  EXPECT_FALSE(order.ordered(write, actor(1).access()));
  EXPECT_FALSE(order.ordered(write, actor(64).access()));
}

TEST_F(MemoryOrderTest, SyncwarpPassesAnAcquisitionToTheWarp) {
  const Moment write = write_and_release();
  start_block();
  actor(0).acquire(kFlag);
  Actor lane = actor(1), other_warp = actor(33);
  lane.sync_warp();
  other_warp.sync_warp();
  EXPECT_TRUE(order.ordered(write, lane.access()));
  EXPECT_FALSE(order.ordered(write, other_warp.access()));
}

TEST_F(MemoryOrderTest, ABarrierPassesAcquisitionsToTheBlock) {
  const Moment write = write_and_release();
  start_block();
  actor(0).acquire(kFlag);
  order.barrier();
  for (const std::uint32_t thread : {0u, 1u, 64u}) {
    Actor reader = actor(thread);
    reader.pass_barrier();
    EXPECT_TRUE(order.ordered(write, reader.access())) << thread;
  }
}

TEST_F(MemoryOrderTest, TheNextBlockHasToAcquireItself) {
  const Moment write = write_and_release();
  start_block();
  actor(0).acquire(kFlag);
  order.barrier();
  start_block();
  Actor consumer = actor(0);
  EXPECT_FALSE(order.ordered(write, consumer.access()));
  consumer.acquire(kFlag);
  EXPECT_TRUE(order.ordered(write, consumer.access()));
}

TEST_F(MemoryOrderTest, ABarrierBeforeTheFenceCoversTheBlock) {
  start_block();
  Actor writer = actor(40), leader = actor(0);
  const Moment early = writer.access();
  order.barrier();
  writer.pass_barrier();
  leader.pass_barrier();
  const Moment late = writer.access();
  leader.fence();
  leader.release(kFlag);
  start_block();
  Actor consumer = actor(0);
  consumer.acquire(kFlag);
  EXPECT_TRUE(order.ordered(early, consumer.access()));
  EXPECT_FALSE(order.ordered(late, consumer.access()));
}

TEST_F(MemoryOrderTest, SyncwarpBeforeTheFenceCoversTheWarp) {
  start_block();
  Actor lane = actor(1), leader = actor(0);
  const Moment before = lane.access();
  lane.sync_warp();
  leader.sync_warp();
  const Moment after = lane.access();
  leader.access();
  leader.access();
  leader.fence();
  leader.release(kFlag);
  start_block();
  Actor consumer = actor(0);
  consumer.acquire(kFlag);
  EXPECT_TRUE(order.ordered(before, consumer.access()));
  EXPECT_FALSE(order.ordered(after, consumer.access()));
}

TEST_F(MemoryOrderTest, EachThreadMayFenceAndOneReleaseAfterTheBarrier) {
  // The guide's sum of partial sums: all threads fence and meet at a barrier, then thread 0 takes
  // the ticket.
  start_block();
  Actor writer = actor(40), leader = actor(0);
  const Moment write = writer.access();
  writer.fence();
  order.barrier();
  leader.pass_barrier();
  leader.release(kFlag);
  EXPECT_TRUE(next_block_sees(write));
}

TEST_F(MemoryOrderTest, AFenceOfAnotherThreadNeedsTheBarrier) {
  start_block();
  Actor writer = actor(40), leader = actor(0);
  const Moment write = writer.access();
  writer.fence();
  leader.release(kFlag);
  EXPECT_FALSE(next_block_sees(write));
}

TEST_F(MemoryOrderTest, SharedFlagsAreForgottenBetweenBlocks) {
  start_block();
  Actor producer = actor(0), neighbour = actor(32);
  const Moment write = producer.access();
  producer.fence();
  producer.release(kSharedFlag);
  neighbour.acquire(kSharedFlag);
  EXPECT_TRUE(order.ordered(write, neighbour.access()));
  start_block();
  Actor consumer = actor(32);
  consumer.acquire(kSharedFlag);
  EXPECT_FALSE(order.ordered(write, consumer.access()));
}

TEST_F(MemoryOrderTest, WaitingForALockExceedsNoLimit) {
  start_block();
  Actor producer = actor(0);
  producer.fence();
  producer.release(kSharedFlag);
  for (int pass = 0; pass < 12'000; ++pass) {
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) actor(thread).acquire(kSharedFlag);
  }
  EXPECT_FALSE(order.ordered(producer.access(), actor(64).access()));
  EXPECT_FALSE(order.gave_up());
}

TEST_F(MemoryOrderTest, LanesThatMetAThreadBetweenTwoAcquisitionsKnowOfTheFirst) {
  start_block();
  Actor producer = actor(0), waiter = actor(32), other = actor(33);
  const Moment first = producer.access();
  producer.fence();
  producer.release(kSharedFlag);
  waiter.acquire(kSharedFlag);
  waiter.sync_warp();
  other.sync_warp();
  const Moment second = producer.access();
  producer.fence();
  producer.release(kSharedFlag);
  waiter.acquire(kSharedFlag);
  EXPECT_TRUE(order.ordered(first, other.access()));
  EXPECT_FALSE(order.ordered(second, other.access()));
  waiter.sync_warp();
  other.sync_warp();
  EXPECT_TRUE(order.ordered(second, other.access()));
}

TEST_F(MemoryOrderTest, CountsTheWorkOfEachBlockByItself) {
  start_block();
  Actor holder = actor(0), next = actor(32);
  const Moment update = holder.access();
  holder.fence();
  holder.release(kSharedFlag);
  next.acquire(kSharedFlag);
  EXPECT_TRUE(order.ordered(update, next.access()));
  EXPECT_GT(order.work(), 0u);
  start_block();
  EXPECT_EQ(order.work(), 0u);
}

TEST_F(MemoryOrderTest, CopiesThatArriveLaterReleaseNoLessThanTheirThreadHas) {
  start_block();
  Actor copier = actor(0), reader = actor(32);
  const Moment begun = copier.access(), store = copier.access();
  order.release(kSharedFlag, copier.access(), false, true);
  order.release(kSharedFlag, begun, false, true);  // the copies of that moment
  reader.acquire(kSharedFlag);
  EXPECT_TRUE(order.ordered(begun, reader.access()));
  EXPECT_TRUE(order.ordered(store, reader.access()));
}

TEST_F(MemoryOrderTest, AnyLaneReleasesWhatItsWarpDidTogether) {
  start_block();
  Moment read = actor(3).access();
  Actor other = actor(17), next = actor(40);
  for (int i = 0; i < 3; ++i) other.access();
  other.fence();
  other.release(kSharedFlag);
  next.acquire(kSharedFlag);
  EXPECT_FALSE(order.ordered(read, next.access()));
  read.by_warp = true;
  EXPECT_TRUE(order.ordered(read, next.access()));
  read.who = Who::make(64, 0);
  EXPECT_FALSE(order.ordered(read, next.access())) << "another warp";
}

TEST_F(MemoryOrderTest, PastItsLimitsEverythingCountsAsOrderedInThatBlock) {
  start_block();
  Actor producer = actor(0);
  for (std::uint64_t flag = 0; flag < 800; ++flag) {
    producer.fence();
    producer.release(kFlag + 4 * flag);
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      actor(thread).acquire(kFlag + 4 * flag);
  }
  const Moment write = producer.access();
  EXPECT_TRUE(order.ordered(write, actor(64).access())) << "the limit is exceeded";
  EXPECT_TRUE(order.gave_up());
  start_block();
  Actor holder = actor(0), next = actor(32);
  const Moment update = holder.access();
  EXPECT_FALSE(order.ordered(update, next.access())) << "another block is followed again";
  holder.fence();
  holder.release(kSharedFlag);
  next.acquire(kSharedFlag);
  EXPECT_TRUE(order.ordered(update, next.access()));
  EXPECT_TRUE(order.gave_up()) << "of the launch";
}

}  // namespace
}  // namespace tessera::sim
