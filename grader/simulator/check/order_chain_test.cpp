// MemoryOrder alone: chains through several flags, where a thread passes on what it has seen.
#include "grader/simulator/testing/order_actor.h"

namespace tessera::sim {
namespace {

using MemoryOrderChain = MemoryOrderTest;

TEST_F(MemoryOrderChain, FlagsChain) {
  const Moment write = write_and_release();
  start_block();
  Actor relay = actor(3);
  relay.acquire(kFlag);
  const Moment own = relay.access();
  relay.fence();
  relay.release(kSecondFlag);
  EXPECT_TRUE(next_block_sees(write, kSecondFlag));
  EXPECT_TRUE(next_block_sees(own, kSecondFlag));
}

TEST_F(MemoryOrderChain, AChainNeedsAFenceInEveryLink) {
  const Moment write = write_and_release();
  start_block();
  Actor relay = actor(3);
  relay.acquire(kFlag);
  relay.release(kSecondFlag);
  EXPECT_FALSE(next_block_sees(write, kSecondFlag));
}

TEST_F(MemoryOrderChain, AChainKeepsTheOrderOfItsLinks) {
  // The relay sets the second flag before it has read the first.
  const Moment write = write_and_release();
  start_block();
  Actor relay = actor(3);
  relay.fence();
  relay.release(kSecondFlag);
  relay.acquire(kFlag);
  EXPECT_FALSE(next_block_sees(write, kSecondFlag));
}

TEST_F(MemoryOrderChain, AChainCoversWhatItsLinkHadSeen) {
  start_block();
  Actor producer = actor(0), relay = actor(32), consumer = actor(64);
  const Moment first = producer.access();
  producer.fence();
  producer.release(kFlag);
  relay.acquire(kFlag);
  relay.fence();
  relay.release(kSecondFlag);
  const Moment second = producer.access();
  producer.fence();
  producer.release(kFlag);
  consumer.acquire(kSecondFlag);
  EXPECT_TRUE(order.ordered(first, consumer.access()));
  EXPECT_FALSE(order.ordered(second, consumer.access()));
}

TEST_F(MemoryOrderChain, AChainCoversNothingThatALinkSawBetweenItsReleases) {
  // The consumer reads the relay's flag before the relay has passed on what it saw.
  start_block();
  Actor producer = actor(0), relay = actor(32), consumer = actor(64);
  relay.fence();
  relay.release(kSecondFlag);
  const Moment write = producer.access();
  producer.fence();
  producer.release(kFlag);
  relay.acquire(kFlag);
  consumer.acquire(kSecondFlag);
  relay.fence();
  relay.release(kSecondFlag);
  EXPECT_FALSE(order.ordered(write, consumer.access()));
  consumer.acquire(kSecondFlag);
  EXPECT_TRUE(order.ordered(write, consumer.access()));
}

TEST_F(MemoryOrderChain, AChainGrowsWithItsLinks) {
  // Both flags are used again: the second round covers what the relay had seen by then.
  start_block();
  Actor producer = actor(0), relay = actor(32), consumer = actor(64);
  Moment write{};
  for (int round = 0; round < 2; ++round) {
    write = producer.access();
    producer.fence();
    producer.release(kFlag);
    relay.acquire(kFlag);
    relay.fence();
    relay.release(kSecondFlag);
    consumer.acquire(kSecondFlag);
    EXPECT_TRUE(order.ordered(write, consumer.access())) << "round " << round;
  }
}

TEST_F(MemoryOrderChain, AChainMayPassThroughABarrier) {
  const Moment write = write_and_release();
  start_block();
  Actor reader = actor(0), speaker = actor(70);
  reader.acquire(kFlag);
  order.barrier();
  speaker.pass_barrier();
  speaker.fence();
  speaker.release(kSecondFlag);
  EXPECT_TRUE(next_block_sees(write, kSecondFlag));
}

TEST_F(MemoryOrderChain, EndsOnFlagsInACircle) {
  start_block();
  Actor one = actor(0), two = actor(32);
  one.fence();
  one.release(kFlag);
  two.acquire(kFlag);
  two.fence();
  two.release(kSecondFlag);
  one.acquire(kSecondFlag);
  const Moment late = actor(64).access();
  one.fence();
  one.release(kFlag);
  two.acquire(kFlag);
  EXPECT_FALSE(order.ordered(late, two.access()));
}

}  // namespace
}  // namespace tessera::sim
