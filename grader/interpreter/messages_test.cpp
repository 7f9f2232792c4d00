#include "grader/interpreter/messages.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <optional>

#include "grader/process/wire.h"

namespace tessera {
namespace {

RunResult some_result() {
  RunResult result;
  Finding finding;
  finding.kind = FindingKind::race;
  finding.message =
      say(Phrase::reads_unwritten_shared, ArrayElement{"As", "[3]"}, Thread{"(1, 0, 0)", ""}) +
      say(Phrase::has_bytes, Name{"As"}, Count{4, Phrase::byte}) +
      say(Phrase::wait_for_barrier, SourceLine{7}, 1) + say(Phrase::freed_block, Phrase::reads, 4);
  finding.example = {{"thread", "(1, 0, 0)"}};
  result.findings = {finding};
  result.metrics = {{Metric::instructions, 12.5}};
  LineAccess access;
  access.line = 3;
  access.worst.offsets.assign(32, std::nullopt);
  access.worst.offsets[4] = 128;
  result.lines = {access};
  result.output = std::string("a\0b", 3);
  return result;
}

TEST(Messages, AResultComesBackAsItWas) {
  const RunReply reply = decode_run_reply(encode(RunReply(some_result())));
  const auto& result = std::get<RunResult>(reply);
  EXPECT_EQ(result.findings.at(0).message, some_result().findings.at(0).message);
  EXPECT_EQ(result.findings.at(0).example.at(0).second, "(1, 0, 0)");
  EXPECT_EQ(result.metrics.at(Metric::instructions), 12.5);
  EXPECT_EQ(result.lines.at(0).worst.offsets.at(4), 128u);
  EXPECT_EQ(result.lines.at(0).worst.offsets.at(5), std::nullopt);
  EXPECT_EQ(result.output, std::string("a\0b", 3));
}

TEST(Messages, NoCounterOfASampleIsForgotten) {
  LaunchCounters counters;
  std::array<double, sizeof counters / sizeof(double)> words;
  std::iota(words.begin(), words.end(), 1.0);
  std::memcpy(static_cast<void*>(&counters), words.data(), sizeof counters);
  counters.sampled_blocks = 3;
  counters.barriers = true;
  const RunReply reply = decode_run_reply(encode(RunReply(std::optional(counters))));
  EXPECT_EQ(std::get<std::optional<LaunchCounters>>(reply), counters);
}

TEST(Messages, ARequestComesBackAsItWas) {
  RunMessage message;
  message.request.entry = "matmul";
  message.request.return_lines = {{3, 3}, {5, 4}};
  message.request.name_lines = {{"As", {1, 2}}};
  message.request.arguments = {Argument(3, std::byte{7})};
  message.buffers.resize(1);
  message.buffers[0].info.pitch = 9;
  message.sample = true;
  const Request request = decode_request(encode(message));
  const auto& back = std::get<RunMessage>(request);
  EXPECT_EQ(back.request.return_lines, message.request.return_lines);
  EXPECT_EQ(back.request.name_lines, message.request.name_lines);
  EXPECT_EQ(back.request.arguments, message.request.arguments);
  EXPECT_EQ(back.buffers.at(0).info.pitch, 9u);
  EXPECT_TRUE(back.sample);
}

TEST(Messages, EveryShorterMessageIsRefused) {
  const std::string whole = encode(RunReply(some_result()));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(decode_run_reply(std::string_view(whole).substr(0, size)), wire::WireError)
        << size;
}

TEST(Messages, WhatFollowsAMessageIsRefused) {
  EXPECT_THROW(decode_run_reply(encode(RunReply(some_result())) + "x"), wire::WireError);
}

TEST(Messages, AListLongerThanItsBytesIsRefusedAtOnce) {
  wire::Writer writer;
  writer.put(std::uint32_t{0}).put(std::uint64_t{1} << 60);
  EXPECT_THROW(decode_load_reply(writer.take()), wire::WireError);
}

TEST(Messages, NumbersThatNoKindHasAreRefused) {
  wire::Writer kind;
  kind.put(std::uint32_t{99});
  EXPECT_THROW(decode_run_reply(kind.take()), wire::WireError);
  wire::Writer status;
  status.put(std::uint32_t{0}).put(std::uint32_t{77});
  EXPECT_THROW(decode_run_reply(status.take()), wire::WireError);
}

}  // namespace
}  // namespace tessera
