// A recursive-descent parser over the PTX text. It accepts what NVRTC and Clang emit and refuses
// the rest with a line.
#include <charconv>
#include <cstring>

#include "grader/simulator/ptx.h"

namespace tessera::ptx {
namespace {

struct SyntaxError {
  int line;
  std::string message;
};

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::int64_t kMaxRegisters = 1 << 24;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Module run() {
    while (skip_space(), position_ < text_.size()) statement();
    return std::move(module_);
  }

 private:
  // ---- characters and tokens

  [[noreturn]] void fail(std::string message) const {
    throw SyntaxError{line_, std::move(message)};
  }

  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void skip_space() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') {
        ++line_;
        ++position_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
        ++position_;
      } else if (c == '/' && peek(1) == '/') {
        while (position_ < text_.size() && text_[position_] != '\n') ++position_;
      } else if (c == '/' && peek(1) == '*') {
        const int first_line = line_;
        while (position_ < text_.size() && !(peek() == '*' && peek(1) == '/')) {
          if (peek() == '\n') ++line_;
          ++position_;
        }
        if (position_ >= text_.size()) throw SyntaxError{first_line, "a comment without end"};
        position_ += 2;
      } else {
        return;
      }
    }
  }

  bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) {
      fail(std::string("expected '") + c + "', found '" + std::string(text_.substr(position_, 12)) +
           "'");
    }
  }

  /// A name such as %r1, $L__BB0_2 or foo; empty where none stands here.
  std::string try_name() {
    skip_space();
    if (!is_name_start(peek())) return {};
    const std::size_t start = position_;
    while (is_name_part(peek())) ++position_;
    return std::string(text_.substr(start, position_ - start));
  }

  std::string name() {
    std::string result = try_name();
    if (result.empty())
      fail("expected a name, found '" + std::string(text_.substr(position_, 12)) + "'");
    return result;
  }

  /// ".word" with its dot removed; empty where no directive stands here.
  std::string try_directive() {
    skip_space();
    if (peek() != '.' || !is_name_start(peek(1))) return {};
    ++position_;
    const std::size_t start = position_;
    while (is_name_part(peek()) || (peek() == ':' && peek(1) == ':'))
      position_ += peek() == ':' ? 2 : 1;
    return std::string(text_.substr(start, position_ - start));
  }

  std::string quoted() {
    expect('"');
    const std::size_t start = position_;
    while (position_ < text_.size() && peek() != '"') ++position_;
    std::string result(text_.substr(start, position_ - start));
    expect('"');
    return result;
  }

  void skip_until(char stop) {
    while (position_ < text_.size() && peek() != stop) {
      if (peek() == '\n') ++line_;
      ++position_;
    }
    if (position_ < text_.size()) ++position_;
  }

  bool number_here() {
    skip_space();
    return is_digit(peek()) || (peek() == '-' && is_digit(peek(1)));
  }

  /// A literal: integer in any base, 0f and 0d bit patterns, or a decimal fraction.
  Operand number() {
    skip_space();
    Operand result;
    result.kind = Operand::Kind::integer;
    const bool negative = accept('-');
    skip_space();
    if (peek() == '0' && (peek(1) == 'f' || peek(1) == 'F' || peek(1) == 'd' || peek(1) == 'D')) {
      const bool single = peek(1) == 'f' || peek(1) == 'F';
      position_ += 2;
      result.kind = single ? Operand::Kind::float32 : Operand::Kind::float64;
      const std::size_t start = position_;
      result.value = static_cast<std::int64_t>(digits(16));
      if (position_ - start != (single ? 8u : 16u))
        fail("a float's bit pattern has 8 digits after 0f, 16 after 0d");
      return result;
    }
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      position_ += 2;
      result.value = static_cast<std::int64_t>(digits(16));
    } else if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'B')) {
      position_ += 2;
      result.value = static_cast<std::int64_t>(digits(2));
    } else {
      const std::size_t start = position_;
      while (is_digit(peek())) ++position_;
      if (peek() == '.') {
        ++position_;
        while (is_digit(peek())) ++position_;
        if (peek() == 'e' || peek() == 'E') {
          position_ += peek(1) == '-' || peek(1) == '+' ? 2 : 1;
          while (is_digit(peek())) ++position_;
        }
        const double value = decimal(text_.substr(start, position_ - start));
        const double with_sign = negative ? -value : value;
        result.kind = Operand::Kind::float64;
        std::memcpy(&result.value, &with_sign, sizeof with_sign);
        return result;
      }
      const bool octal = text_[start] == '0' && position_ - start > 1;
      position_ = start;
      result.value = static_cast<std::int64_t>(digits(octal ? 8 : 10));
    }
    if (peek() == 'U') ++position_;
    if (negative)
      result.value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(result.value));
    return result;
  }

  double decimal(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail("expected a number");
    return value;
  }

  std::uint64_t digits(int base) {
    std::uint64_t value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, base);
    if (error != std::errc{}) fail("expected a number");
    position_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::int64_t integer() {
    const Operand operand = number();
    if (operand.kind != Operand::Kind::integer) fail("expected a whole number");
    return operand.value;
  }

  // ---- module scope

  void statement() {
    const std::string word = try_directive();
    if (word.empty())
      fail("expected a directive, found '" + std::string(text_.substr(position_, 12)) + "'");
    if (word == "version") {
      skip_until('\n');
      ++line_;
    } else if (word == "target" || word == "address_size") {
      skip_until('\n');
      ++line_;
    } else if (word == "file") {
      const int index = static_cast<int>(integer());
      module_.files[index] = quoted();
      if (accept(',')) {  // time stamp and size
        integer();
        expect(',');
        integer();
      }
    } else if (word == "section") {
      skip_until('{');
      skip_until('}');
    } else if (word == "pragma" || word == "alias") {
      skip_until(';');
    } else {
      declaration(word);
    }
  }

  void declaration(std::string word) {
    bool external = false;
    for (;; word = try_directive()) {
      if (word == "visible" || word == "weak" || word == "common") continue;
      if (word == "extern") {
        external = true;
      } else if (word == "entry" || word == "func") {
        function(word == "entry");
        return;
      } else if (word == "global" || word == "const" || word == "shared") {
        for (Variable& variable : variables(space_of(word), external)) {
          module_.variables.push_back(std::move(variable));
        }
        return;
      } else {
        fail("unknown directive '." + word + "'");
      }
    }
  }

  static Space space_of(std::string_view word) {
    if (word == "global") return Space::global;
    if (word == "const") return Space::constant;
    if (word == "shared") return Space::shared;
    if (word == "local") return Space::local;
    return Space::param;
  }

  /// What follows .global, .shared, ...: attributes, type, then names with sizes and initialisers
  /// up to ';'.
  std::vector<Variable> variables(Space space, bool external) {
    Variable base = variable_head(space);
    base.external = external;
    std::vector<Variable> result;
    do {
      Variable variable = base;
      variable.name = name();
      variable.ptx_line = line_;
      dimensions(variable);
      if (accept('=')) initialiser(variable);
      result.push_back(std::move(variable));
    } while (accept(','));
    expect(';');
    return result;
  }

  Variable variable_head(Space space) {
    Variable variable;
    variable.space = space;
    unsigned vector = 1;
    for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
      if (word == "align") {
        variable.align = static_cast<std::uint64_t>(integer());
      } else if (word == "v2") {
        vector = 2;
      } else if (word == "v4") {
        vector = 4;
      } else if (word == "attribute") {
        skip_until(')');
      } else if (word == "ptr") {
        continue;
      } else if (const std::optional<Type> type = type_from(word)) {
        variable.type = *type;
        variable.size = std::uint64_t{bytes(*type)} * vector;
        if (variable.align < variable.size) variable.align = variable.size;
      }
      // What is left are spaces of pointed-to memory (.ptr .global), which change nothing here.
    }
    return variable;
  }

  void dimensions(Variable& variable) {
    const std::uint64_t element = variable.size;
    while (accept('[')) {
      skip_space();
      if (peek() == ']') {
        variable.size = 0;
      } else {
        variable.size *= static_cast<std::uint64_t>(integer());
      }
      expect(']');
    }
    if (variable.size > (std::uint64_t{1} << 32)) {
      fail("'" + variable.name + "' has " + std::to_string(variable.size) + " bytes");
    }
    if (element == 0) fail("'" + variable.name + "' has no type");
  }

  void initialiser(Variable& variable) {
    const bool open = variable.size == 0;  // [] takes its length from the values
    variable.data.assign(variable.size, 0);
    std::size_t offset = 0;
    initialiser_value(variable, offset, open);
    variable.size = variable.data.size();
  }

  void initialiser_value(Variable& variable, std::size_t& offset, bool open) {
    if (accept('{')) {
      if (accept('}')) return;
      do {
        initialiser_value(variable, offset, open);
      } while (accept(','));
      expect('}');
      return;
    }
    const unsigned size = bytes(variable.type);
    if (open) variable.data.resize(offset + size);
    if (offset + size > variable.data.size())
      fail("too many initialisers for '" + variable.name + "'");
    if (number_here()) {
      const Operand value = number();
      skip_space();
      if (peek() == '(') {  // 0xFF00(symbol): one byte of an address
        ++position_;
        Variable::Relocation relocation = symbol_initialiser(offset, 1);
        expect(')');
        while (relocation.shift < 64 && ((value.value >> relocation.shift) & 0xff) == 0)
          relocation.shift += 8;
        variable.relocations.push_back(relocation);
      } else {
        std::uint64_t bits = static_cast<std::uint64_t>(value.value);
        if (value.kind == Operand::Kind::float64 && variable.type == Type::f32) {
          double wide = 0;
          std::memcpy(&wide, &value.value, sizeof wide);
          const float narrow = static_cast<float>(wide);
          std::uint32_t pattern = 0;
          std::memcpy(&pattern, &narrow, sizeof narrow);
          bits = pattern;
        }
        std::memcpy(variable.data.data() + offset, &bits, size);
      }
    } else {
      variable.relocations.push_back(symbol_initialiser(offset, size));
    }
    offset += size;
  }

  Variable::Relocation symbol_initialiser(std::size_t offset, unsigned size) {
    Variable::Relocation relocation;
    relocation.offset = offset;
    relocation.bytes = size;
    relocation.symbol = name();
    relocation.generic = relocation.symbol == "generic";
    if (relocation.generic) {
      expect('(');
      relocation.symbol = name();
      relocation.addend = addend();
      expect(')');
    }
    relocation.addend += addend();
    return relocation;
  }

  std::int64_t addend() {
    if (accept('+')) return integer();
    skip_space();
    return peek() == '-' ? integer() : 0;
  }

  // ---- functions

  void function(bool entry) {
    Function result;
    result.entry = entry;
    result.ptx_line = line_;
    if (accept('(')) result.returns = parameter_list();
    result.name = name();
    if (accept('(')) result.parameters = parameter_list();
    for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
      // Launch bounds and the like: .maxntid 256, 1, 1
      if (word == "pragma") {
        quoted();
        expect(';');
        continue;
      }
      while (number_here()) {
        integer();
        if (!accept(',')) break;
      }
    }
    if (!accept(';')) {
      expect('{');
      result.defined = true;
      body(result);
    }
    for (Function& earlier : module_.functions) {
      if (earlier.name == result.name) {
        if (result.defined) earlier = std::move(result);
        return;
      }
    }
    module_.functions.push_back(std::move(result));
  }

  std::vector<Variable> parameter_list() {
    std::vector<Variable> result;
    if (accept(')')) return result;
    do {
      const std::string word = try_directive();
      if (word != "param" && word != "reg") fail("expected .param");
      Variable variable = variable_head(Space::param);
      variable.name = name();
      dimensions(variable);
      result.push_back(std::move(variable));
    } while (accept(','));
    expect(')');
    return result;
  }

  void body(Function& function) {
    int depth = 1;
    location_ = {};
    while (depth > 0) {
      skip_space();
      if (position_ >= text_.size()) fail("'" + function.name + "' has no closing brace");
      if (accept('{')) {
        scopes_.push_back({function.body.size(), {}});
        ++depth;
      } else if (accept('}')) {
        if (--depth > 0) close_scope(function);
      } else if (peek() == '.') {
        body_directive(function);
      } else if (!label(function)) {
        function.body.push_back(instruction());
      }
    }
  }

  /// The name under which something declared here is kept: inside an inner block it hides outer
  /// ones.
  std::string declared(const std::string& text) {
    if (scopes_.empty()) return text;
    std::string& unique = scopes_.back().renamed[text];
    if (unique.empty()) unique = text + "#" + std::to_string(++renamed_);
    return unique;
  }

  /// Gives the inner block's instructions the names that declared() made: labels may be used before
  /// they stand.
  void close_scope(Function& function) {
    const Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    const auto rename = [&](std::string& text) {
      const auto found = scope.renamed.find(text);
      if (found != scope.renamed.end()) text = found->second;
    };
    const auto rename_operand = [&](Operand& operand, const auto& self) -> void {
      rename(operand.name);
      rename(operand.second);
      for (Operand& element : operand.elements) self(element, self);
    };
    for (std::size_t i = scope.first; i < function.body.size(); ++i) {
      rename(function.body[i].guard);
      for (Operand& operand : function.body[i].operands) rename_operand(operand, rename_operand);
    }
  }

  void body_directive(Function& function) {
    const std::string word = try_directive();
    if (word == "reg") {
      registers(function);
    } else if (word == "loc") {
      location();
    } else if (word == "shared" || word == "local" || word == "param" || word == "global" ||
               word == "const") {
      for (Variable& variable : variables(space_of(word), false)) {
        (word == "global" || word == "const" ? module_.variables : function.variables)
            .push_back(std::move(variable));
      }
    } else if (word == "extern") {
      const std::string space = try_directive();
      for (Variable& variable : variables(space_of(space), true))
        function.variables.push_back(std::move(variable));
    } else if (word == "pragma") {
      skip_until(';');
    } else if (word == "file" || word == "section") {
      fail("'." + word + "' inside a function");
    } else {
      fail("unknown directive '." + word + "'");
    }
  }

  void registers(Function& function) {
    const std::string word = try_directive();
    const std::optional<Type> type = type_from(word);
    if (!type) fail("unknown register type '." + word + "'");
    do {
      std::string register_name = name();
      if (accept('<')) {
        const std::int64_t count = integer();
        if (count < 1 || count > kMaxRegisters) fail(std::to_string(count) + " registers");
        expect('>');
        function.register_ranges.emplace_back(register_name, static_cast<unsigned>(count));
        function.range_types[register_name] = *type;
      } else {
        function.registers[declared(register_name)] = *type;
      }
    } while (accept(','));
    expect(';');
  }

  void location() {
    const Location previous = location_;
    location_ = {};
    location_.file = static_cast<int>(integer());
    location_.line = static_cast<int>(integer());
    location_.column = static_cast<int>(integer());
    while (accept(',')) {
      const std::string word = name();
      if (word == "function_name") {
        name();
        addend();
      } else if (word == "inlined_at") {
        location_.inlined_file = static_cast<int>(integer());
        location_.inlined_line = static_cast<int>(integer());
        integer();
      } else {
        fail("unknown attribute '" + word + "' of .loc");
      }
    }
    if (location_.line == 0) location_ = previous;
  }

  bool label(Function& function) {
    const std::size_t start = position_;
    const int start_line = line_;
    const std::string text = try_name();
    if (!text.empty() && accept(':')) {
      const std::size_t after = position_;
      const int after_line = line_;
      const std::string word = try_directive();
      if (word == "branchtargets") {
        std::vector<std::string>& targets = function.branch_targets[text];
        do {
          targets.push_back(name());
        } while (accept(','));
        expect(';');
      } else if (word == "callprototype") {
        function.prototypes[text] = true;
        skip_until(';');
      } else {
        position_ = after;
        line_ = after_line;
        if (!function.labels.try_emplace(declared(text), function.body.size()).second) {
          fail("the label '" + text + "' stands twice");
        }
      }
      return true;
    }
    position_ = start;
    line_ = start_line;
    return false;
  }

  Instruction instruction() {
    Instruction result;
    result.ptx_line = line_;
    result.location = location_;
    if (accept('@')) {
      result.guard_negated = accept('!');
      result.guard = name();
    }
    result.words.push_back(name());
    for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
      result.words.push_back(std::move(word));
    }
    if (accept(';')) return result;
    do {
      result.operands.push_back(operand());
    } while (accept(','));
    expect(';');
    return result;
  }

  Operand operand() {
    skip_space();
    if (accept('[')) {
      Operand result = operand();
      result.address = true;
      result.offset += addend();
      expect(']');
      return result;
    }
    if (peek() == '{' || peek() == '(') return list();
    if (number_here()) return number();
    if (peek() == '.') fail("unexpected directive in an operand");
    Operand result;
    result.negated = accept('!');
    result.name = name();
    if (result.name == "_") {
      if (accept('|')) result.second = name();
      return result;
    }
    if (result.name == "WARP_SZ") {
      result.kind = Operand::Kind::integer;
      result.value = 32;
      return result;
    }
    result.kind =
        result.name[0] == '%' && !special(result.name) ? Operand::Kind::reg : Operand::Kind::symbol;
    if (special(result.name)) {
      result.kind = Operand::Kind::special;
      if (peek() == '.' && is_name_start(peek(1))) result.name += "." + try_directive();
    }
    if (accept('|')) result.second = name();
    if (result.kind == Operand::Kind::symbol) result.offset = addend();
    return result;
  }

  Operand list() {
    Operand result;
    result.kind = Operand::Kind::vector;
    const char close = peek() == '{' ? '}' : ')';
    ++position_;
    if (accept(close)) return result;
    do {
      result.elements.push_back(operand());
    } while (accept(','));
    expect(close);
    return result;
  }

  static bool special(std::string_view text) {
    static constexpr std::string_view kNames[] = {"%tid",
                                                  "%ntid",
                                                  "%ctaid",
                                                  "%nctaid",
                                                  "%laneid",
                                                  "%warpid",
                                                  "%nwarpid",
                                                  "%smid",
                                                  "%nsmid",
                                                  "%gridid",
                                                  "%lanemask_eq",
                                                  "%lanemask_le",
                                                  "%lanemask_lt",
                                                  "%lanemask_ge",
                                                  "%lanemask_gt",
                                                  "%clock",
                                                  "%clock_hi",
                                                  "%clock64",
                                                  "%globaltimer",
                                                  "%globaltimer_lo",
                                                  "%globaltimer_hi",
                                                  "%dynamic_smem_size",
                                                  "%total_smem_size",
                                                  "%is_explicit_cluster",
                                                  "%clusterid",
                                                  "%nclusterid",
                                                  "%cluster_ctaid",
                                                  "%cluster_nctaid",
                                                  "%cluster_ctarank",
                                                  "%cluster_nctarank"};
    for (std::string_view entry : kNames) {
      if (entry == text) return true;
    }
    return false;
  }

  /// An inner block { ... } of a function, as inline assembly makes them.
  struct Scope {
    std::size_t first = 0;  // its first instruction
    std::unordered_map<std::string, std::string> renamed;
  };

  std::vector<Scope> scopes_;
  int renamed_ = 0;
  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  Location location_;
  Module module_;
};

}  // namespace

Expected<Module> parse(std::string_view text) {
  try {
    return Parser(text).run();
  } catch (const SyntaxError& error) {
    return Error{"PTX", error.line, 0, error.message};
  }
}

}  // namespace tessera::ptx
