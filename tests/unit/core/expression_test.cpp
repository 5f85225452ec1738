#include "core/expression.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/space.hpp"

namespace hone {
namespace {

const std::map<std::string, Value> names = {
    {"a", Value(std::int64_t{7})}, {"b", Value(std::int64_t{-2})},      {"zero", Value(std::int64_t{0})},
    {"half", Value(0.5)},          {"mode", Value(std::string("row"))}, {"launch.global[1]", Value(std::int64_t{64})}};

std::string result_of(std::string_view text) {
  const auto expression = Expression::parse(text);
  if (!expression) return expression.error().text();
  const auto value = expression->evaluate(environment_of(names));
  return value ? print(*value) : value.error().text();
}

bool condition(std::string_view text) {
  return Expression::parse(text).value().evaluate_condition(environment_of(names)).value();
}

std::string reprinted(std::string_view text) { return Expression::parse(text).value().print(); }

TEST(Expression, FollowsPythonsArithmetic) {
  EXPECT_EQ(result_of("7 / 2"), "3.5");
  EXPECT_EQ(result_of("4 / 2"), "2.0");
  EXPECT_EQ(result_of("-7 // 2"), "-4");
  EXPECT_EQ(result_of("-7 % 3"), "2");
  EXPECT_EQ(result_of("7 % -3"), "-2");
  EXPECT_EQ(result_of("7.5 % 2"), "1.5");
  EXPECT_EQ(result_of("2 ** 3 ** 2"), "512");
  EXPECT_EQ(result_of("-2 ** 2"), "-4");
  EXPECT_EQ(result_of("2 ** -1"), "0.5");
  EXPECT_EQ(result_of("true + true"), "2");
}

TEST(Expression, ChainsComparisons) {
  EXPECT_TRUE(condition("0 < a <= 7"));
  EXPECT_FALSE(condition("0 < a < 7"));
  EXPECT_TRUE(condition("32 <= 8 * 8 <= 1024"));
}

TEST(Expression, StopsAtTheOperandThatDecides) {
  EXPECT_TRUE(condition("zero == 0 or a % zero == 0"));
  EXPECT_FALSE(condition("zero != 0 and a % zero == 0"));
  EXPECT_EQ(result_of("a // zero if zero != 0 else -1"), "-1");
  EXPECT_EQ(result_of("zero or a"), "7");
}

TEST(Expression, ReadsT1ConstraintsAsTheyAre) {
  EXPECT_TRUE(condition("a % ((a * 3)/3) == 0"));
  EXPECT_TRUE(condition("not (a == 128 and b == 128)"));
  EXPECT_TRUE(condition("a in (1, 7) and b not in [1, 2]"));
  EXPECT_TRUE(condition("mode in ['row', \"column\"] and True"));
  EXPECT_TRUE(condition("max([a, b]) == 7 and max(a) == 7"));
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_EQ(result_of("ceil_div(7, 2)"), "4");
  EXPECT_EQ(result_of("ceil_div(-7, 2)"), "-3");
  EXPECT_EQ(result_of("round_up(65, 32)"), "96");
  EXPECT_EQ(result_of("min(a, b, 3)"), "-2");
  EXPECT_EQ(result_of("abs(b)"), "2");
  EXPECT_EQ(result_of("int(7 / 2)"), "3");
  EXPECT_EQ(result_of("math.ceil(a / 2)"), "4");
  EXPECT_EQ(result_of("log2(8)"), "3.0");
}

TEST(Expression, NamesCarryDotsAndAnIndex) {
  EXPECT_EQ(result_of("launch.global[1] * 2"), "128");
  EXPECT_EQ(Expression::parse("launch.global[1] + a * a")->names(),
            (std::vector<std::string>{"launch.global[1]", "a"}));
}

TEST(Expression, ReportsWhatItCannotDo) {
  EXPECT_NE(result_of("a + ").find("expected a value"), std::string::npos);
  EXPECT_NE(result_of("maxx(1, 2)").find("did you mean max?"), std::string::npos);
  EXPECT_NE(result_of("nobody + 1").find("nobody is not known here"), std::string::npos);
  EXPECT_NE(result_of("a // zero").find("division by zero"), std::string::npos);
  EXPECT_NE(result_of("9223372036854775807 + 1").find("overflow"), std::string::npos);
  EXPECT_NE(result_of("9223372036854775808").find("too large"), std::string::npos);
  EXPECT_NE(result_of("'open").find("does not end"), std::string::npos);
  EXPECT_NE(result_of("mode + 1").find("string"), std::string::npos);
  EXPECT_NE(result_of(std::string(5000, '(')).find("too long"), std::string::npos);
  EXPECT_NE(result_of(std::string(1000, '(')).find("too deeply"), std::string::npos);
  EXPECT_EQ(Expression::parse("half")->evaluate_integer(environment_of(names)).error().code(), "E-EXPRESSION");
  EXPECT_EQ(Expression::parse("8 / 2")->evaluate_integer(environment_of(names)).value(), 4);
}

TEST(Expression, PrintsTheFewestParentheses) {
  EXPECT_EQ(reprinted("((a) + (b * 2)) * 3"), "(a + b * 2) * 3");
  EXPECT_EQ(reprinted("a - (b - 1)"), "a - (b - 1)");
  EXPECT_EQ(reprinted("(a - b) - 1"), "a - b - 1");
  EXPECT_EQ(reprinted("not (a == 1 and b == 2)"), "not (a == 1 and b == 2)");
  EXPECT_EQ(reprinted("(-3) ** 2"), "(-3) ** 2");
  EXPECT_EQ(reprinted("-(3)"), "-(3)");
}

TEST(Expression, SubstitutesNames) {
  const auto doubled = Expression::parse("a * b")->substitute([](std::string_view name) -> std::optional<Expression> {
    if (name == "a") return Expression::parse("c + 1").value();
    return std::nullopt;
  });
  EXPECT_EQ(doubled.print(), "(c + 1) * b");
}

TEST(Configuration, PrintsInTheOrderOfItsNames) {
  EXPECT_EQ(print(Configuration{
                {"VX", Value(std::int64_t{16})}, {"TI", Value(std::int64_t{4})}, {"L", Value(std::string("row"))}}),
            "L=\"row\" TI=4 VX=16");
}

}  // namespace
}  // namespace hone
