#include <fcntl.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"
#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

/// A folder without a book.
class OpenBook : public testing::Test {
 protected:
  /// The error of opening `name`, without the folder.
  std::string error(const std::string& name, Book::Mode mode = Book::Mode::create) const {
    const Expected<Book> book = Book::open(folder_.path() / name, mode);
    if (book) return "no error";
    std::string text = book.error().str();
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  /// Runs SQL on a file without a Book.
  void run_sql(const std::string& name, const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder_.path() / name).c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  /// The offset of a table's first page in the file, whose pages have the usual 4,096 bytes.
  std::size_t place_of_table(const std::string& name, const std::string& table) const {
    sqlite3* database = nullptr;
    sqlite3_stmt* query = nullptr;
    sqlite3_open((folder_.path() / name).c_str(), &database);
    const std::string sql = "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'";
    sqlite3_prepare_v2(database, sql.c_str(), -1, &query, nullptr);
    EXPECT_EQ(sqlite3_step(query), SQLITE_ROW);
    const auto page = static_cast<std::size_t>(sqlite3_column_int64(query, 0));
    sqlite3_finalize(query);
    sqlite3_close(database);
    return (page - 1) * 4096;
  }

  TemporaryDirectory folder_;
};

constexpr Book::Mode kAllModes[] = {Book::Mode::create, Book::Mode::write, Book::Mode::read};

TEST_F(OpenBook, OnlyCreateMakesAFile) {
  EXPECT_EQ(error("book.db", Book::Mode::write),
            "book.db: there is no such gradebook; `tessera batch` makes one");
  EXPECT_EQ(error("book.db", Book::Mode::read),
            "book.db: there is no such gradebook; `tessera batch` makes one");
  EXPECT_FALSE(fs::exists(folder_.path() / "book.db"));
  for (const Book::Mode mode : kAllModes) EXPECT_EQ(error("book.db", mode), "no error");
  EXPECT_EQ(error("none/book.db"), "none/book.db: there is no folder none; make it first");
}

TEST_F(OpenBook, ACreatedBookIsOneFileOnceItIsClosed) {
  for (const Book::Mode mode : kAllModes) {
    EXPECT_EQ(error("book.db", mode), "no error");
    EXPECT_TRUE(fs::exists(folder_.path() / "book.db"));
    EXPECT_FALSE(fs::exists(folder_.path() / "book.db-wal"));
    EXPECT_FALSE(fs::exists(folder_.path() / "book.db-shm"));
  }
}

TEST_F(OpenBook, OtherFilesAreNotTouched) {
  const std::string text = "Student,Mark\nJane,100\n";
  folder_.write("marks.csv", text);
  for (const std::size_t bytes : {1, 15, 16, 99, 100, 511, 512, 4096}) {
    folder_.write("short", std::string(bytes, 'x'));
    for (const Book::Mode mode : kAllModes) {
      EXPECT_EQ(error("short", mode), "short: is not a gradebook") << bytes;
    }
  }
  run_sql("other.db", "CREATE TABLE song (title TEXT)");
  const std::string other = *read_file(folder_.path() / "other.db");
  for (const Book::Mode mode : kAllModes) {
    EXPECT_EQ(error("marks.csv", mode), "marks.csv: is not a gradebook");
    EXPECT_EQ(error("other.db", mode),
              "other.db: is an SQLite file of another program, not a gradebook");
  }
  EXPECT_EQ(*read_file(folder_.path() / "marks.csv"), text);
  EXPECT_EQ(*read_file(folder_.path() / "other.db"), other);
}

TEST_F(OpenBook, AnEmptyFileIsNoBookButMayBecomeOne) {
  folder_.write("empty", "");
  EXPECT_EQ(error("empty", Book::Mode::read), "empty: is empty; expected a gradebook");
  EXPECT_EQ(error("empty", Book::Mode::write), "empty: is empty; expected a gradebook");
  EXPECT_EQ(fs::file_size(folder_.path() / "empty"), 0u);
  EXPECT_EQ(error("empty", Book::Mode::create), "no error");
  EXPECT_EQ(error("empty", Book::Mode::read), "no error");
}

TEST_F(OpenBook, AFolderOrAPipeIsNoBook) {
  fs::create_directory(folder_.path() / "sub");
  ASSERT_EQ(mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  for (const Book::Mode mode : kAllModes) {
    EXPECT_EQ(error("sub", mode), "sub: is a folder; expected the file of a gradebook");
    EXPECT_EQ(error("pipe", mode), "pipe: is not a regular file");
  }
}

TEST_F(OpenBook, ANewerVersionIsLeftToANewerTessera) {
  ASSERT_EQ(error("book.db"), "no error");
  run_sql("book.db", "PRAGMA user_version = 7");
  EXPECT_EQ(error("book.db", Book::Mode::read),
            "book.db: was made by a newer Tessera (gradebook version 7; this one knows up to 5); "
            "update Tessera");
  run_sql("book.db", "PRAGMA user_version = 0");
  EXPECT_THAT(error("book.db"), HasSubstr("unknown gradebook version 0"));
}

TEST_F(OpenBook, AnOlderVersionIsBroughtUpToDate) {
  ASSERT_EQ(error("book.db"), "no error");
  {
    Book book = opened(folder_.path() / "book.db");
    const RowId jane = book.add_student(Person{.name = "Jane"});
    for (const char* sha256 : {"a", "b"}) book.add_attempt(attempt("03-tiled", {jane}, sha256), "");
    book.add_attempt(attempt("03-tiled", {jane}, "a"), "");
    book.add_results({result("03-tiled", "a", "h1", 70)});
    book.add_adjustment({.student = jane, .lab = "03-tiled", .points = 5, .reason = "kept"});
  }
  for (const Book::Mode mode : kAllModes) {
    run_sql(
        "book.db",
        "DROP TABLE adjusted_grade; DROP INDEX attempt_once; "
        "ALTER TABLE attempt DROP COLUMN seen; ALTER TABLE adjustment DROP COLUMN bonus; "
        "ALTER TABLE adjustment DROP COLUMN last_attempt; "
        "CREATE UNIQUE INDEX attempt_once ON attempt (origin, lab, ifnull(sha256, ''), problem); "
        "DROP TABLE source_key; ALTER TABLE adjustment DROP COLUMN late_days; "
        "ALTER TABLE result DROP COLUMN review; ALTER TABLE result DROP COLUMN awaits_gpu; "
        "PRAGMA user_version = 1");
    const Book book = opened(folder_.path() / "book.db", mode);
    ASSERT_EQ(book.adjustments().size(), 1u);
    EXPECT_EQ(book.adjustments()[0].reason, "kept");
    EXPECT_EQ(book.adjustments()[0].points, 5);
    EXPECT_EQ(book.adjustments()[0].late_days, std::nullopt);
    EXPECT_TRUE(book.source_keys(1).empty());
    ASSERT_EQ(book.accepted_results().size(), 1u);
    EXPECT_EQ(book.adjustments()[0].last_attempt, 2);
    ASSERT_EQ(book.adjustments()[0].grades.size(), 1u);
    EXPECT_EQ(book.adjustments()[0].grades[0].score, 70);
    EXPECT_EQ(book.attempts().at(0).seen, 1);
    EXPECT_EQ(book.attempts().at(1).seen, 2);
  }
}

TEST_F(OpenBook, DamageIsReportedWhenItIsMet) {
  const fs::path file = folder_.path() / "book.db";
  (void)opened(file);
  const std::size_t students = place_of_table("book.db", "student");
  const std::string whole = *read_file(file);
  const auto damage = [&](std::size_t byte, std::size_t bytes) {
    folder_.write("book.db", std::string(whole).replace(byte, bytes, bytes, '\xA5'));
  };
  damage(100, whole.size() - 100);  // behind the file's header
  for (const Book::Mode mode : kAllModes) {
    EXPECT_THAT(error("book.db", mode), StartsWith("book.db: is damaged ("));
  }
  damage(students, 4096);
  const Book book = opened(file);
  try {
    (void)book.students();
    FAIL() << "read";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), StartsWith(file.string() + ": is damaged ("));
  }
}

/// Drops the rights of root for one test.
class WithoutRoot {
 public:
  explicit WithoutRoot(const fs::path& folder) {
    constexpr uid_t kUnprivileged = 65534;
    if (!root_) return;
    for (const auto& entry : fs::directory_iterator(folder)) give(entry.path(), kUnprivileged);
    give(folder, kUnprivileged);
    if (seteuid(kUnprivileged) != 0) throw std::runtime_error("seteuid");
  }
  ~WithoutRoot() {
    if (root_ && seteuid(0) != 0) std::abort();
  }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;

 private:
  static void give(const fs::path& path, uid_t user) {
    if (chown(path.c_str(), user, static_cast<gid_t>(-1)) != 0) throw std::runtime_error("chown");
  }

  bool root_ = geteuid() == 0;
};

TEST_F(OpenBook, AFolderThatCannotBeWrittenIsNamed) {
  ASSERT_EQ(error("book.db"), "no error");
  const WithoutRoot unprivileged(folder_.path());
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  for (const Book::Mode mode : kAllModes) {
    EXPECT_THAT(error("book.db", mode), StartsWith("book.db: its folder cannot be written"));
  }
  EXPECT_THAT(error("new.db"), StartsWith("new.db: its folder cannot be written"));
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(OpenBook, AFileThatCannotBeWrittenMayBeRead) {
  ASSERT_EQ(error("book.db"), "no error");
  const WithoutRoot unprivileged(folder_.path());
  fs::permissions(folder_.path() / "book.db", fs::perms::owner_read);
  EXPECT_THAT(error("book.db", Book::Mode::write), StartsWith("book.db: the file cannot be wri"));
  EXPECT_EQ(error("book.db", Book::Mode::read), "no error");
}

/// The pages that every connection may have, from now until the end of the test.
class FullDisk {
 public:
  explicit FullDisk(int pages) {
    page_limit = pages;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(&limit));
  }
  ~FullDisk() { sqlite3_reset_auto_extension(); }

 private:
  static int limit(sqlite3* database, const char**, const void*) {
    const std::string sql = "PRAGMA max_page_count = " + std::to_string(page_limit);
    return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
  }

  static inline int page_limit = 0;
};

TEST_F(OpenBook, AFullDiskIsReportedWhenABookIsMade) {
  {
    const FullDisk disk(2);
    EXPECT_THAT(error("book.db"), StartsWith("book.db: the disk is full; make room"));
  }
  EXPECT_EQ(error("book.db"), "no error");
}

TEST_F(OpenBook, AFullDiskLosesNothingThatWasWritten) {
  const fs::path file = folder_.path() / "book.db";
  BookResult large = result("03-tiled", "large", "h1", 1);
  large.record = std::string(1 << 20, 'x');
  {
    const FullDisk disk(60);
    Book book = opened(file);
    book.add_results({result("03-tiled", "a", "h1", 70)});
    try {
      book.add_results({result("03-tiled", "b", "h1", 70), large});
      FAIL() << "wrote";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), StartsWith(file.string() + ": the disk is full"));
    }
    EXPECT_EQ(book.accepted_results().size(), 1u);
    book.add_results({result("03-tiled", "c", "h1", 70)});
  }
  Book book = opened(file);
  book.add_results({large});
  EXPECT_EQ(book.accepted_results().size(), 3u);
}

TEST_F(OpenBook, ATransactionThatAFullDiskEndedTakesNothingMore) {
  const FullDisk disk(60);
  Book book = opened(folder_.path() / "book.db");
  EXPECT_THROW(book.transaction([&] {
    book.add_student(Person{.name = "Jane"});
    EXPECT_THROW(book.add_student(Person{.name = std::string(1 << 20, 'x')}), std::runtime_error);
    book.add_student(Person{.name = "Tom"});
  }),
               std::runtime_error);
  EXPECT_TRUE(book.students().empty());
}

}  // namespace
}  // namespace tessera
