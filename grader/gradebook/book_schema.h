// The tables of a gradebook, and how one is told from any other SQLite file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>

namespace tessera {

/// Whether the file holds nothing at all, as a new or empty one does.
bool is_blank(SQLite::Database& database);

/// Makes the tables in a blank file. To be called inside a transaction.
void create_schema(SQLite::Database& database);

/// Why this is no gradebook that this version can use, or nothing where it is one.
std::optional<std::string> wrong_schema(SQLite::Database& database);

}  // namespace tessera
