#include "grader/compile/source.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;

std::vector<std::string> words_in(const Source& source) {
  std::vector<std::string> words;
  for (const Token& token : source.code()) words.push_back(token.text);
  return words;
}

TEST(Source, TextHasNoByteOrderMarkAndNoCarriageReturns) {
  const Source source("\xEF\xBB\xBFint a;\r\nint b;\r\n");
  EXPECT_EQ(source.text(), "int a;\nint b;\n");
  EXPECT_EQ(source.as_read(), "\xEF\xBB\xBFint a;\r\nint b;\r\n");
  EXPECT_THAT(source.lines(), ElementsAre("int a;", "int b;"));
  EXPECT_EQ(Source("a\rb").text(), "a\nb");
  EXPECT_EQ(Source("a\rb").code()[1].line, 2);
}

TEST(Source, TokensAreTheLongest) {
  EXPECT_THAT(words_in("a<<=b>>=c<=d>=e==f!=g&&h||i"),
              ElementsAre("a", "<<=", "b", ">>=", "c", "<=", "d", ">=", "e", "==", "f", "!=", "g",
                          "&&", "h", "||", "i"));
  EXPECT_THAT(words_in("a+++b---c"), ElementsAre("a", "++", "+", "b", "--", "-", "c"));
  EXPECT_THAT(words_in("a+=b-=c*=d/=e%=f&=g|=h^=i"),
              ElementsAre("a", "+=", "b", "-=", "c", "*=", "d", "/=", "e", "%=", "f", "&=", "g",
                          "|=", "h", "^=", "i"));
  EXPECT_THAT(words_in("p->x ... a.*b p->*b A::c x<<y>>z"),
              ElementsAre("p", "->", "x", "...", "a", ".*", "b", "p", "->*", "b", "A", "::", "c",
                          "x", "<<", "y", ">>", "z"));
  EXPECT_THAT(words_in("k<<<1, 2>>>()"),
              ElementsAre("k", "<<<", "1", ",", "2", ">>", ">", "(", ")"));
  EXPECT_THAT(words_in("a = = b + + c"), ElementsAre("a", "=", "=", "b", "+", "+", "c"));
}

TEST(Source, DigraphsBecomeTheTokensThatTheyStandFor) {
  EXPECT_THAT(words_in("<%a<:1:>;%>"), ElementsAre("{", "a", "[", "1", "]", ";", "}"));
  EXPECT_THAT(words_in("S<::T> S<:::b:>"),
              ElementsAre("S", "<", "::", "T", ">", "S", "[", "::", "b", "]"));
  const Source source("%:define f(a, b) a %:%: b\n%: define g (a)\n");
  ASSERT_EQ(source.directives().size(), 2u);
  EXPECT_EQ(source.directives()[0].tokens[7].text, "##");
  EXPECT_TRUE(source.directives()[0].takes_arguments);
  EXPECT_FALSE(source.directives()[1].takes_arguments);
}

TEST(Source, ACopyHoldsTheSameTokens) {
  const Source source("int a;");
  const Source copy = source;
  EXPECT_EQ(copy.code().data(), source.code().data());
}

}  // namespace
}  // namespace tessera
