// Drawn programs of nested branches, loops, break, continue and exit, against a host that runs one
// lane after the other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

constexpr std::uint32_t kThreads = 96;

struct Statement {
  enum class Kind { mix, branch, loop, leave, next, finish };
  Kind kind = Kind::mix;
  std::uint32_t a = 0;  // of mix: factor and term; else: the bit of x that decides
  std::uint32_t b = 0;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
};

enum class Flow { on, leave, next, finish };

std::uint32_t number(std::mt19937& random) {
  return static_cast<std::uint32_t>(random());
}

std::vector<Statement> draw(std::mt19937& random, int depth, bool in_loop) {
  std::vector<Statement> statements(1 + random() % 4);
  for (Statement& statement : statements) {
    statement.a = number(random) % 24;
    const std::uint32_t choice = number(random) % 12;
    if (depth < 4 && choice < 4) {
      statement.kind = Statement::Kind::branch;
      statement.body = draw(random, depth + 1, in_loop);
      if (random() % 3 != 0) statement.otherwise = draw(random, depth + 1, in_loop);
    } else if (depth < 4 && choice < 6) {
      statement.kind = Statement::Kind::loop;
      statement.body = draw(random, depth + 1, true);
    } else if (in_loop && choice < 8) {
      statement.kind = choice == 6 ? Statement::Kind::leave : Statement::Kind::next;
    } else if (choice == 8 && random() % 3 == 0) {
      statement.kind = Statement::Kind::finish;
    } else {
      statement.a = number(random) | 1;
      statement.b = number(random);
    }
  }
  return statements;
}

Flow evaluate_on_host(const std::vector<Statement>& statements, std::uint32_t& x) {
  for (const Statement& statement : statements) {
    const bool set = (x >> (statement.a & 31) & 1) != 0;
    Flow flow = Flow::on;
    switch (statement.kind) {
      case Statement::Kind::mix:
        x = x * statement.a + statement.b;
        x ^= x >> 15;
        break;
      case Statement::Kind::branch:
        flow = evaluate_on_host(set ? statement.body : statement.otherwise, x);
        break;
      case Statement::Kind::loop:
        for (std::uint32_t rounds = (x >> statement.a & 3) + 1; rounds != 0; --rounds) {
          x = x * 5 + rounds;
          flow = evaluate_on_host(statement.body, x);
          if (flow == Flow::leave || flow == Flow::finish) break;
        }
        if (flow != Flow::finish) flow = Flow::on;
        break;
      case Statement::Kind::leave:
        if (set) flow = Flow::leave;
        break;
      case Statement::Kind::next:
        if (set) flow = Flow::next;
        break;
      case Statement::Kind::finish:
        if (set && (x & 3) == 0) flow = Flow::finish;
        break;
    }
    if (flow != Flow::on) return flow;
  }
  return Flow::on;
}

/// Writes statements as PTX on %x; labels are numbered by `labels`.
class Writer {
 public:
  std::string write(const std::vector<Statement>& statements) {
    text_.clear();
    write_all(statements, -1);
    return fmt::format(".reg .b32 %rounds<{}>;\n", labels_ + 1) + text_;
  }

 private:
  void test_bit(std::uint32_t bit) {
    text_ +=
        fmt::format("shr.u32 %r0, %x, {}; and.b32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0;\n", bit);
  }

  void write_all(const std::vector<Statement>& statements, int loop) {
    for (const Statement& statement : statements) write_one(statement, loop);
  }

  void write_one(const Statement& statement, int loop) {
    switch (statement.kind) {
      case Statement::Kind::mix:
        text_ +=
            fmt::format("mad.lo.u32 %x, %x, {}, {}; shr.u32 %r0, %x, 15; xor.b32 %x, %x, %r0;\n",
                        statement.a, statement.b);
        break;
      case Statement::Kind::branch: {
        const int label = labels_++;
        test_bit(statement.a);
        text_ += fmt::format("@!%p0 bra ELSE{};\n", label);
        write_all(statement.body, loop);
        text_ += fmt::format("bra.uni JOIN{0};\nELSE{0}:\n", label);
        write_all(statement.otherwise, loop);
        text_ += fmt::format("JOIN{}:\n", label);
        break;
      }
      case Statement::Kind::loop: {
        const int label = labels_++;
        text_ += fmt::format(
            "shr.u32 %r0, %x, {1}; and.b32 %r0, %r0, 3; add.u32 %rounds{0}, %r0, 1;\n"
            "TOP{0}: mad.lo.u32 %x, %x, 5, %rounds{0};\n",
            label, statement.a);
        write_all(statement.body, label);
        text_ += fmt::format(
            "NEXT{0}: sub.u32 %rounds{0}, %rounds{0}, 1; setp.ne.u32 %p0, %rounds{0}, 0;\n"
            "@%p0 bra TOP{0};\nLEAVE{0}:\n",
            label);
        break;
      }
      case Statement::Kind::leave:
        test_bit(statement.a);
        text_ += fmt::format("@%p0 bra LEAVE{};\n", loop);
        break;
      case Statement::Kind::next:
        test_bit(statement.a);
        text_ += fmt::format("@%p0 bra NEXT{};\n", loop);
        break;
      case Statement::Kind::finish: {
        const int label = labels_++;
        test_bit(statement.a);
        text_ += fmt::format(
            "and.b32 %r1, %x, 3; setp.eq.and.u32 %p1, %r1, 0, %p0; @!%p1 bra STAY{0};\n"
            "st.global.u32 [%out_at], %x; exit;\nSTAY{0}:\n",
            label);
        break;
      }
    }
  }

  std::string text_;
  int labels_ = 0;
};

class RandomControlFlow : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomControlFlow, ::testing::Range(1u, 41u));

TEST_P(RandomControlFlow, AgreesWithOneLaneAtATime) {
  std::mt19937 random(GetParam());
  std::vector<Statement> statements;
  for (int part = 0; part < 4; ++part) {
    for (Statement& statement : draw(random, 0, false)) statements.push_back(std::move(statement));
  }
  const std::string body =
      "mad.lo.u32 %x, %index, 2654435761, 12345;\n" + Writer().write(statements);
  const std::vector<std::uint32_t> values = lanes(body, "", {kThreads, 1, 1});
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    std::uint32_t x = thread * 2654435761u + 12345u;
    evaluate_on_host(statements, x);
    ASSERT_EQ(values[thread], x) << "seed " << GetParam() << " thread " << thread << "\n" << body;
  }
}

}  // namespace
}  // namespace tessera::test
