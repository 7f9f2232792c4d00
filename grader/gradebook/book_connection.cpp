#include "grader/gradebook/book_connection.h"

#include <SQLiteCpp/Savepoint.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "grader/gradebook/book_schema.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// A batch writes for milliseconds at a time, an import of a whole class for seconds.
constexpr int kBusyMilliseconds = 60'000;

int open_flags(Book::Mode mode) {
  // A connection that may not write would leave -wal and -shm files behind: reading is enforced by
  // `query_only` instead.
  return SQLite::OPEN_READWRITE | (mode == Book::Mode::create ? SQLite::OPEN_CREATE : 0);
}

bool is_writable(const fs::path& path) {
  return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

std::string why_not_opened(const SQLite::Exception& exception, const fs::path& file) {
  if (!is_writable(fs::absolute(file).parent_path())) {
    return "its folder cannot be written, which a gradebook needs even for reading; use a folder "
           "where you may write, or copy the gradebook to one";
  }
  if (!is_writable(file)) return "the file cannot be written; change its permissions or copy it";
  return exception.what();
}

}  // namespace

std::string explain(const SQLite::Exception& exception, const fs::path& file) {
  switch (exception.getErrorCode() & 0xff) {
    case SQLITE_NOTADB:
      return "is not a gradebook";
    case SQLITE_CORRUPT:
      return fmt::format("is damaged ({}); restore it from a copy", exception.what());
    case SQLITE_FULL:
      return "the disk is full; make room and try again, what was written before is safe";
    case SQLITE_BUSY:
      return fmt::format("another process has held the gradebook for {} s; wait until it ends",
                         kBusyMilliseconds / 1000);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return why_not_opened(exception, file);
    default:
      return exception.what();
  }
}

// An absolute path is never taken for ":memory:" or a URI.
BookConnection::BookConnection(const fs::path& file, Book::Mode mode)
    : file_(file), database_(fs::absolute(file), open_flags(mode), kBusyMilliseconds) {
}

std::optional<Error> BookConnection::prepare(Book::Mode mode) {
  const auto error = [&](std::string message) {
    return Error{.file = file_.string(), .message = std::move(message)};
  };
  const bool reads_only = mode == Book::Mode::read;
  if (!reads_only && sqlite3_db_readonly(database_.getHandle(), "main") == 1) {
    return error("the file cannot be written; change its permissions or copy it");
  }
  if (mode == Book::Mode::create && is_blank(database_)) create_tables();
  if (auto wrong = wrong_schema(database_)) return error(std::move(*wrong));
  if (is_old_schema(database_)) upgrade();
  database_.exec("PRAGMA foreign_keys = ON");
  database_.exec("PRAGMA trusted_schema = OFF");
  if (reads_only) {
    database_.exec("PRAGMA query_only = ON");
    return std::nullopt;
  }
  if (!use_write_ahead_log()) {
    return error(
        "its file system cannot hold a gradebook, as some network drives cannot; use a "
        "local disk");
  }
  // NORMAL would survive a killed process too, but a power cut could take back marks that were
  // shown already. FULL waits for the disk once a transaction: milliseconds beside a grading.
  database_.exec("PRAGMA synchronous = FULL");
  return std::nullopt;
}

void BookConnection::create_tables() {
  SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
  if (is_blank(database_)) create_schema(database_);  // else another process was faster
  transaction.commit();
}

void BookConnection::upgrade() {
  SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
  if (is_old_schema(database_)) upgrade_schema(database_);  // else another process was faster
  transaction.commit();
}

bool BookConnection::use_write_ahead_log() {
  // Two processes that switch a new file at the same moment refuse each other without waiting.
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds(kBusyMilliseconds);
  int status = SQLITE_BUSY;
  while (true) {
    status = database_.tryExec("PRAGMA journal_mode = WAL");
    if (status != SQLITE_BUSY || Clock::now() > deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  database_.check(status);
  return database_.execAndGet("PRAGMA journal_mode").getString() == "wal";
}

void BookConnection::read(const std::function<void()>& work) const {
  try {
    work();
  } catch (const SQLite::Exception& exception) {
    throw std::runtime_error(
        Error{.file = file_.string(), .message = explain(exception, file_)}.str());
  }
}

void BookConnection::snapshot(const std::function<void()>& work) const {
  read([&] {
    const bool inside = sqlite3_get_autocommit(database_.getHandle()) == 0;
    if (inside) return work();
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::DEFERRED);
    work();
    transaction.commit();
  });
}

void BookConnection::write(const std::function<void()>& work) {
  read([&] {
    if (writing_) {
      // A full disk ends the whole transaction: nothing may be written as if it still stood.
      if (sqlite3_get_autocommit(database_.getHandle()) != 0) {
        throw SQLite::Exception("the transaction was undone by an earlier error");
      }
      SQLite::Savepoint part(database_, "part");
      work();
      part.release();
      return;
    }
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    writing_ = true;
    try {
      work();
    } catch (...) {
      writing_ = false;
      throw;
    }
    writing_ = false;
    transaction.commit();
  });
}

std::int64_t BookConnection::download() {
  if (download_ == 0) {
    SQLite::Statement next = statement("SELECT ifnull(max(download), 0) + 1 FROM attempt");
    next.executeStep();
    download_ = Row(next).whole();
  }
  return download_;
}

std::int64_t BookConnection::next_seen() {
  if (seen_ == 0) {
    SQLite::Statement last = statement("SELECT ifnull(max(seen), 0) FROM attempt");
    last.executeStep();
    seen_ = Row(last).whole();
  }
  return ++seen_;
}

}  // namespace tessera
