#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

constexpr int kBatch = 7;

/// The text of one result: 20 kB, so that it fills several pages.
std::string record_of(const std::string& sha256) {
  std::string record;
  while (record.size() < 20'000) record += sha256 + " ";
  return record;
}

/// The results that one call of add_results writes.
std::vector<BookResult> batch_of(const std::string& writer, int number) {
  std::vector<BookResult> batch;
  batch.reserve(kBatch);
  for (int i = 0; i < kBatch; ++i) {
    const std::string sha256 = fmt::format("{}/{:06}/{}", writer, number, i);
    batch.push_back(result("03-tiled", sha256, "h1", i));
    batch.back().record = record_of(sha256);
  }
  return batch;
}

/// Forks; the child runs `work` and ends.
template <class Work>
pid_t in_child(Work work) {
  const pid_t child = fork();
  if (child > 0) return child;
  if (child < 0) throw std::runtime_error("fork");  // kill() of -1 would end every process
  alarm(60);                                        // even if the parent is gone
  try {
    work();
  } catch (const std::exception& error) {
    fmt::print(stderr, "child: {}\n", error.what());
    _exit(1);
  }
  _exit(0);
}

int status_of_child(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

/// How many results of each batch ("writer/number") the book has; each is checked to be whole.
std::map<std::string, int> batches_in(const Book& book) {
  std::map<std::string, int> batches;
  for (const BookResult& result : book.accepted_results()) {
    EXPECT_EQ(book.result(result.lab, result.sha256)->record, record_of(result.sha256));
    ++batches[result.sha256.substr(0, result.sha256.rfind('/'))];
  }
  return batches;
}

class SharedBook : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "book.db"; }

  TemporaryDirectory folder_;
};

TEST_F(SharedBook, TwoWritersAtOnceLoseNothing) {
  constexpr int kBatches = 40;
  std::vector<pid_t> children;
  for (const std::string writer : {"one", "two"}) {
    children.push_back(in_child([&] {
      Book book = opened(file());
      for (int number = 0; number < kBatches; ++number) {
        const std::string name = fmt::format("{} {}", writer, number);
        book.transaction([&] {
          const RowId student = book.add_student(Person{.login = name});
          book.add_attempt(attempt("03-tiled", {student}, name), name);
        });
        book.add_results(batch_of(writer, number));
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of_child(child), 0);
  const Book book = opened(file(), Book::Mode::read);
  EXPECT_EQ(book.students().size(), 2u * kBatches);
  EXPECT_EQ(book.attempts().size(), 2u * kBatches);
  const auto batches = batches_in(book);
  EXPECT_EQ(batches.size(), 2u * kBatches);
  for (const auto& [name, results] : batches) EXPECT_EQ(results, kBatch) << name;
}

TEST_F(SharedBook, ManyMakeItAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const std::filesystem::path fresh = folder_.path() / fmt::format("{}.db", round);
    std::vector<pid_t> children;
    children.reserve(6);
    for (int child = 0; child < 6; ++child) {
      children.push_back(in_child(
          [&] { opened(fresh).add_student(Person{.login = fmt::format("student {}", child)}); }));
    }
    for (const pid_t child : children) EXPECT_EQ(status_of_child(child), 0);
    EXPECT_EQ(opened(fresh).students().size(), 6u);
  }
}

TEST_F(SharedBook, IsReadWhileAnotherProcessWrites) {
  opened(file()).add_results(batch_of("parent", 0));
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = in_child([&] {
    Book book = opened(file());
    book.transaction([&] {
      book.add_results(batch_of("child", 0));
      if (write(ready[1], "x", 1) != 1) _exit(2);
      pause();
    });
  });
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  const Book book = opened(file(), Book::Mode::read);
  EXPECT_EQ(book.accepted_results().size(), std::size_t{kBatch});
  kill(child, SIGKILL);
  status_of_child(child);
  EXPECT_EQ(opened(file()).accepted_results().size(), std::size_t{kBatch});
  close(ready[0]);
  close(ready[1]);
}

/// A process that writes batch after batch and reports each batch that is written.
class Writer {
 public:
  Writer(const std::filesystem::path& file, const std::string& name) {
    if (pipe(reports_) != 0) throw std::runtime_error("pipe");
    child_ = in_child([&] {
      Book book = opened(file);
      for (int number = 0;; ++number) {
        book.add_results(batch_of(name, number));
        if (write(reports_[1], "x", 1) != 1) _exit(2);
      }
    });
    close(reports_[1]);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { close(reports_[0]); }

  /// Kills it `after` its first batch; returns how many batches it reported.
  int kill_after(std::chrono::microseconds after) {
    char bytes[4096];
    int batches = static_cast<int>(read(reports_[0], bytes, 1));
    std::this_thread::sleep_for(after);
    kill(child_, SIGKILL);
    status_of_child(child_);
    for (ssize_t more; (more = read(reports_[0], bytes, sizeof bytes)) > 0;) {
      batches += static_cast<int>(more);
    }
    return batches;
  }

 private:
  int reports_[2] = {};
  pid_t child_ = 0;
};

TEST_F(SharedBook, AKilledWriterLosesNothingThatWasWritten) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  fmt::print("seed {}\n", seed);
  std::mt19937 random(seed);
  std::map<std::string, int> reported;
  for (int round = 0; round < 20; ++round) {
    const std::string name = fmt::format("writer{:02}", round);
    Writer writer(file(), name);
    reported[name] = writer.kill_after(
        std::chrono::microseconds(std::uniform_int_distribution(0, 15'000)(random)));
    ASSERT_GT(reported[name], 0);
  }
  Book book = opened(file());
  const auto batches = batches_in(book);
  for (const auto& [batch, results] : batches) EXPECT_EQ(results, kBatch) << batch;
  for (const auto& [name, count] : reported) {
    for (int number = 0; number < count; ++number) {
      EXPECT_TRUE(batches.contains(fmt::format("{}/{:06}", name, number))) << name << number;
    }
  }
  book.add_results(batch_of("after", 0));
  EXPECT_EQ(batches_in(book).size(), batches.size() + 1);
}

TEST_F(SharedBook, AWriterKilledWhileItMakesTheBookLeavesNoneOrAWholeOne) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  fmt::print("seed {}\n", seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path fresh = folder_.path() / fmt::format("{}.db", round);
    const pid_t child = in_child([&] { opened(fresh).add_student(Person{.login = "jdoe"}); });
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution(0, 10'000)(random)));
    kill(child, SIGKILL);
    status_of_child(child);
    Book book = opened(fresh);
    book.add_student(Person{.login = "jdoe"});
    EXPECT_EQ(book.students().size(), 1u);
  }
}

}  // namespace
}  // namespace tessera
