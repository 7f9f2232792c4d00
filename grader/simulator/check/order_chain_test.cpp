// MemoryOrder alone: chains of flags, in which a thread passes on what it has seen.
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

TEST_F(MemoryOrderChain, AChainCoversNothingThatALinkSawAfterItsRelease) {
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
  // Both flags are set again: the second round covers what the relay had seen by then.
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
  Actor reader = actor(0), releaser = actor(70);
  reader.acquire(kFlag);
  order.barrier();
  releaser.pass_barrier();
  releaser.fence();
  releaser.release(kSecondFlag);
  EXPECT_TRUE(next_block_sees(write, kSecondFlag));
}

TEST_F(MemoryOrderChain, EndsOnFlagsInACircle) {
  start_block();
  Actor first = actor(0), second = actor(32);
  first.fence();
  first.release(kFlag);
  second.acquire(kFlag);
  second.fence();
  second.release(kSecondFlag);
  first.acquire(kSecondFlag);
  const Moment late = actor(64).access();
  first.fence();
  first.release(kFlag);
  second.acquire(kFlag);
  EXPECT_FALSE(order.ordered(late, second.access()));
}

}  // namespace
}  // namespace tessera::sim
