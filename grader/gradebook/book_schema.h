// The tables of a gradebook, and how to distinguish a gradebook from any other SQLite file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>

namespace tessera {

/// Whether the file holds nothing at all, as a new or empty one does.
bool is_blank(SQLite::Database& database);

/// Makes the tables in a blank file. To be called inside a transaction.
void create_schema(SQLite::Database& database);

/// Whether a gradebook that wrong_schema() has nothing against was made by an older version.
bool is_old_schema(SQLite::Database& database);

/// Brings the tables of such a gradebook up to date; what is in them stays. To be called inside a
/// transaction, for which is_old_schema() holds.
void upgrade_schema(SQLite::Database& database);

/// Why this version cannot use the database as a gradebook, or nothing if it can.
std::optional<std::string> wrong_schema(SQLite::Database& database);

}  // namespace tessera
