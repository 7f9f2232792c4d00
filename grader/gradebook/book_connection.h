// One connection to a gradebook's file: opening, transactions, statements and their values.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/gradebook/book.h"

namespace tessera {

/// What SQLite says of `file`, and what to do about it.
std::string explain(const SQLite::Exception& exception, const std::filesystem::path& file);

/// The values of a statement's row, from left to right.
class Row {
 public:
  explicit Row(const SQLite::Statement& statement) : statement_(statement) {}

  std::string text() { return statement_.getColumn(next_++).getString(); }
  std::int64_t whole() { return statement_.getColumn(next_++).getInt64(); }
  double number() { return statement_.getColumn(next_++).getDouble(); }
  std::optional<double> number_if_any() {
    const SQLite::Column column = statement_.getColumn(next_++);
    return column.isNull() ? std::nullopt : std::optional(column.getDouble());
  }
  bool flag() { return whole() != 0; }

 private:
  const SQLite::Statement& statement_;
  int next_ = 0;
};

/// One thread uses it at a time, and no process that was forked off.
class BookConnection {
 public:
  /// Opens the file, or makes an empty one. Throws SQLite::Exception.
  BookConnection(const std::filesystem::path& file, Book::Mode mode);

  /// Creates the tables if `mode` asks for it and sets the connection up. Returns why the file
  /// cannot be used, or nothing. Throws SQLite::Exception.
  std::optional<Error> prepare(Book::Mode mode);

  /// A statement with its parameters bound, from left to right. Throws SQLite::Exception, as all
  /// statements do: use it inside read() or write().
  template <class... Values>
  SQLite::Statement statement(const char* sql, const Values&... values) const {
    SQLite::Statement statement(database_, sql);
    SQLite::bind(statement, values...);
    return statement;
  }

  /// Runs `work`; what SQLite throws becomes a std::runtime_error with the file's name.
  void read(const std::function<void()>& work) const;

  /// read() on one state of the book: what others write meanwhile is not seen.
  void snapshot(const std::function<void()>& work) const;

  /// read() in a transaction that is undone if `work` throws; inside another transaction, a part of
  /// that one.
  void write(const std::function<void()>& work);

  /// The list of `make(row)` for all rows.
  template <class Make>
  auto list(SQLite::Statement rows, Make make) const {
    std::vector<decltype(make(std::declval<Row&>()))> list;
    while (rows.executeStep()) {
      Row row(rows);
      list.push_back(make(row));
    }
    return list;
  }

  RowId last_id() const { return database_.getLastInsertRowid(); }

  /// The number of the download that this Book adds attempts of, drawn when first asked for.
  std::int64_t download();

  /// A number above those of all attempts that were added or seen again.
  std::int64_t next_seen();

 private:
  void create_tables();
  void upgrade();
  bool use_write_ahead_log();

  std::filesystem::path file_;
  mutable SQLite::Database database_;
  bool writing_ = false;
  std::int64_t download_ = 0;  // 0: not drawn yet
  std::int64_t seen_ = 0;      // 0: not read yet
};

}  // namespace tessera
