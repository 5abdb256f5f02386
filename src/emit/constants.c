/* Removes what macros leave where a constant decides: arithmetic of numbers, choices between equals, loops
 * that never run, sums with a variable that stays 0, and the tree of a group of one. expand.c calls it with
 * the text of a kernel; the user sees NAME.cl without them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/private.h"

enum { WORD_BYTES = 64 };

/* Writes `value` in place of n characters, which are no fewer. */
static void replace(char *at, size_t n, const char *value) {
    const size_t length = strlen(value);
    memcpy(at, value, length);
    red_erase(at + length, n - length);
}

/* Bytes of a whole number that begins here, and its value; 0 if there is none. It may have the suffix u, or
 * be a hexadecimal digit, as a lane's number is: "0xa". */
static size_t number_bytes(const char *at, long *value, bool *is_unsigned) {
    const bool is_hex = strncmp(at, "0x", 2) == 0 && isxdigit((unsigned char)at[2]);
    const size_t n = is_hex ? 3 : strspn(at, "0123456789");
    const bool is_suffixed = at[n] == 'u';
    if (n == 0 || n > 6 || red_is_word_char(at[n + is_suffixed]) || at[n + is_suffixed] == '.')
        return 0;
    *value = strtol(at, NULL, is_hex ? 16 : 10);
    *is_unsigned = *is_unsigned || is_suffixed;
    return n + is_suffixed;
}

/* ---- what numbers decide ------------------------------------------------------------------------------- */

/* Operators of numbers, and how strongly they bind; one that another begins with stands behind that. */
static const struct sign {
    const char *sign;
    int strength;
} operators[] = {{"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6},
                 {"&&", 2}, {"||", 1}, {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},
                 {"-", 9},  {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3}};
enum {
    OPERATORS_N = sizeof operators / sizeof operators[0],
    VALUE_MAX = 1 << 24,
    STRONGEST = 99,
    SUM = 9,
    COMPARES = 7,
    EQUALS = 6,
    LOGICAL = 2
};

/* The operator that stands here, maybe behind blanks; NULL if there is none. */
static const struct sign *operator_at(const char *at) {
    at += strspn(at, " ");
    for (size_t i = 0; i < OPERATORS_N; i++)
        if (strncmp(at, operators[i].sign, strlen(operators[i].sign)) == 0)
            return &operators[i];
    return NULL;
}

/* Whether a conversion to an integer that any number here fits into ends there: of "(ulong)8 * 4" the product
 * can be known, of "(float)7 / 2" or "(uchar)200 * 2" it cannot. */
static bool is_wide_conversion(const char *text, const char *end) {
    static const char *const conversions[] = {"(ulong)", "(uint)", "(size_t)"};
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        const size_t n = strlen(conversions[i]);
        if ((size_t)(end - text) >= n && strncmp(end - n, conversions[i], n) == 0)
            return true;
    }
    return false;
}

/* How strongly what stands before `at` binds; 0: it begins an argument, an index, or the like. */
static int strength_before(const char *text, const char *at) {
    at = red_skip_blanks_before(text, at);
    for (size_t i = 0; i < OPERATORS_N; i++) {
        const size_t n = strlen(operators[i].sign);
        if ((size_t)(at - text) >= n && strncmp(at - n, operators[i].sign, n) == 0)
            return operators[i].strength;
    }
    if (is_wide_conversion(text, at))
        return SUM;
    return at > text && strchr("~!.)", at[-1]) != NULL ? STRONGEST : 0;
}

/* Combines two numbers; -1 where there is no result, or one that a number here cannot be. */
static long apply_operator(const char *sign, long a, long b) {
    const bool twice = sign[1] == sign[0], equal = sign[1] == '=';
    if ((strchr("/%", *sign) != NULL && b == 0) || (twice && strchr("<>", *sign) != NULL && b > 24))
        return -1;
    const long value = *sign == '<'   ? twice   ? a << b
                                        : equal ? a <= b
                                                : a < b
                       : *sign == '>' ? twice   ? a >> b
                                        : equal ? a >= b
                                                : a > b
                       : *sign == '=' ? a == b
                       : *sign == '!' ? a != b
                       : *sign == '*' ? a * b
                       : *sign == '/' ? a / b
                       : *sign == '%' ? a % b
                       : *sign == '+' ? a + b
                       : *sign == '-' ? a - b
                       : *sign == '^' ? a ^ b
                       : *sign == '&' ? twice ? a && b : a & b
                       : twice        ? a || b
                                      : a | b;
    return value <= VALUE_MAX ? value : -1;
}

/* Reads numbers and operators that bind at least so strongly, "255 | 255 >> 1", at 0 a choice, too, and moves
 * *at behind them; before an operator that has no number on its right side. Gives the value, or -1 where
 * there is none, and sets *is_unsigned where it is. */
static long read_value(const char **at, int strength_min, bool *is_unsigned) {
    long value = -1;
    *at += number_bytes(*at, &value, is_unsigned);
    for (const struct sign *sign; value >= 0 && (sign = operator_at(*at)) != NULL;) {
        const char *behind = strstr(*at, sign->sign) + strlen(sign->sign);
        bool is_right_unsigned = false;
        if (sign->strength < strength_min)
            return value;
        behind += strspn(behind, " ");
        const long right = read_value(&behind, sign->strength + 1, &is_right_unsigned);
        const struct sign *next = operator_at(behind);
        const bool is_taken = right < 0 || (next != NULL && next->strength > sign->strength);
        const long combined = is_taken ? -1 : apply_operator(sign->sign, value, right);
        if (combined < 0)
            return value;
        value = combined;
        *at = behind;
        *is_unsigned = (*is_unsigned || is_right_unsigned) && sign->strength > LOGICAL &&
                       sign->strength != EQUALS && sign->strength != COMPARES;
    }
    if (value < 0 || strength_min > 0 || strncmp(*at, " ? ", 3) != 0)
        return value;
    bool is_choice_unsigned = false;
    const char *behind = *at + 3;
    const long yes = read_value(&behind, 0, &is_choice_unsigned);
    if (yes < 0 || strncmp(behind, " : ", 3) != 0)
        return value;
    behind += 3;
    const long no = read_value(&behind, 0, &is_choice_unsigned);
    if (no < 0 || strchr(";),]:", *behind) == NULL)
        return value;
    *at = behind;
    *is_unsigned = is_choice_unsigned;
    return value > 0 ? yes : no;
}

/* "256 - 1" is 255, where nothing beside it binds as strongly or stronger: tells whether it has folded one.
 */
static bool fold_numbers(const char *text, char *at) {
    char folded[24];
    const char *end = at;
    bool is_unsigned = false;
    long number;
    const size_t number_n = number_bytes(at, &number, &is_unsigned);
    if (number_n == 0)
        return false;
    const int before = strength_before(text, at);
    const long value = read_value(&end, before > 0 ? before + 1 : 0, &is_unsigned);
    snprintf(folded, sizeof folded, "%ld%s", value, is_unsigned ? "u" : "");
    if (value < 0 || (size_t)(end - at) == number_n || strlen(folded) > (size_t)(end - at))
        return false;
    replace(at, (size_t)(end - at), folded);
    return true;
}

/* A number in parentheses that belong to no word needs none. */
static bool drop_group(const char *text, char *at) {
    long number;
    bool is_unsigned = false;
    const char *before = red_skip_blanks_before(text, at);
    const size_t n = *at == '(' ? number_bytes(at + 1, &number, &is_unsigned) : 0;
    if (n == 0 || at[n + 1] != ')' || (before > text && red_is_word_char(before[-1])))
        return false;
    red_erase(at + n + 1, 1);
    red_erase(at, 1);
    return true;
}

/* Whether what stands here begins a whole: the right side of an assignment, an argument, an index. */
static bool begins_whole(const char *text, const char *at) {
    at = red_skip_blanks_before(text, at);
    return at > text && (strchr("(,[", at[-1]) != NULL ||
                         (at[-1] == '=' && (at - text < 2 || strchr("=<>!", at[-2]) == NULL)));
}

/* Bytes of a branch of a choice: to the colon, or to the end of what it stands in. */
static size_t branch_bytes(const char *at) {
    int depth = 0, choices = 0;
    size_t n = 0;
    for (; at[n] != '\0'; n++) {
        if (depth == 0 && (strchr(";,)]", at[n]) != NULL || (at[n] == ':' && choices-- == 0)))
            break;
        depth += (strchr("([", at[n]) != NULL) - (strchr(")]", at[n]) != NULL);
        choices += depth == 0 && at[n] == '?';
    }
    while (n > 0 && at[n - 1] == ' ')
        n--;
    return n;
}

/* "0 ? before : with" is with, "1 ? before : with" is before, and "i < n ? i : i" is i, each of them a whole.
 */
static bool fold_decided(const char *text, char *at) {
    char words[3][WORD_BYTES];
    int same_n = 0;
    long number = 0;
    bool is_unsigned = false;
    if (!begins_whole(text, at))
        return false;
    const size_t number_n = number_bytes(at, &number, &is_unsigned);
    if (sscanf(at, "%63[A-Za-z0-9_] < %63[A-Za-z0-9_] ? %n%63[A-Za-z0-9_]", words[0], words[1], &same_n,
               words[2]) == 3) {
        const size_t n = strlen(words[2]);
        const char *other = at + same_n + n;
        if (strncmp(other, " : ", 3) != 0 || branch_bytes(other + 3) != n ||
            strncmp(other + 3, words[2], n) != 0)
            return false;
        replace(at, (size_t)(other + 3 + n - at), words[2]);
        return true;
    }
    if (number_n == 0 || strncmp(at + number_n, " ? ", 3) != 0)
        return false;
    char *yes = at + number_n + 3, *behind = yes + branch_bytes(yes), *no = behind + 3;
    if (strncmp(behind, " : ", 3) != 0)
        return false;
    /* read_value knows the type of two numbers: one waits for what may become one. */
    const char *taken = number != 0 ? yes : no, *left = number != 0 ? no : yes;
    if (strchr("(0123456789", *left) != NULL &&
        number_bytes(taken, &number, &is_unsigned) == branch_bytes(taken))
        return false;
    if (taken == yes)
        red_erase(behind, 3 + branch_bytes(no));
    red_erase(at, (size_t)(taken - at));
    return true;
}

/* "x + 0", "x << 0" and "x * 1" are x, where what follows does not bind stronger; so are "x + 0 * y" and what
 * keeps all bits. "0 + x" is x, where a whole begins. */
static bool drop_neutral(const char *text, char *at) {
    if (*at != ' ' && *at != '0')
        return false;
    static const char *const neutral[] = {" + 0", " << 0", " * 1", " & (~0UL << 0)"};
    if (strncmp(at, "0 + ", 4) == 0 && begins_whole(text, at)) {
        red_erase(at, 4);
        return true;
    }
    if (strncmp(at, " + 1 * ", 7) == 0) {
        red_erase(at + 3, 4);
        return true;
    }
    const size_t factor_n = strncmp(at, " + 0 * ", 7) == 0 ? red_postfix_bytes(at + 7, strlen(at + 7)) : 0;
    const struct sign *behind = factor_n > 0 ? operator_at(at + 7 + factor_n) : NULL;
    if (factor_n > 0 && (behind == NULL || behind->strength <= SUM)) {
        red_erase(at, 7 + factor_n);
        return true;
    }
    for (size_t i = 0; i < sizeof neutral / sizeof neutral[0]; i++) {
        const size_t n = strlen(neutral[i]);
        if (strncmp(at, neutral[i], n) != 0 || red_is_word_char(at[n]) || at[n] == '.')
            continue;
        const struct sign *next = operator_at(at + n);
        if (next == NULL || next->strength <= operator_at(at)->strength) {
            red_erase(at, n);
            return true;
        }
    }
    return false;
}

/* ---- what never happens -------------------------------------------------------------------------------- */

/* "for (uint w = 1; w > 1; ...) {...}" never runs. */
static bool drop_idle_loop(const char *text, char *at) {
    char name[2][WORD_BYTES];
    unsigned from, least;
    int n = 0;
    if (strncmp(at, "for (", 5) != 0 ||
        sscanf(at, "for (uint %63[A-Za-z0-9_] = %u; %63[A-Za-z0-9_] > %u;%n", name[0], &from, name[1], &least,
               &n) != 4 ||
        n == 0 || strcmp(name[0], name[1]) != 0 || from > least)
        return false;
    const char *open = strchr(at, '{'), *close = open != NULL ? red_find_closing(open) : NULL;
    if (close == NULL)
        return false;
    char *end = at + (close - at);
    end += 1 + strspn(end + 1, " \n");
    while (end[-1] == ' ')
        end--;
    while (at > text && at[-1] == ' ')
        at--;
    red_erase(at, (size_t)(end - at));
    return true;
}

/* Whether the word stands here as a word of its own. */
static bool is_word_at(const char *text, const char *at, const char *word) {
    const size_t n = strlen(word);
    return strncmp(at, word, n) == 0 && !red_is_word_char(at[n]) && (at == text || !red_is_word_char(at[-1]));
}

/* Whether the text says "= 0;" of the name, and all else that it says of it is "| NAME". */
static bool stays_zero(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; *at != '\0'; at++) {
        at += red_comment_bytes(at);
        if (is_word_at(text, at, name) && strncmp(at + n, " = 0;", 5) != 0 &&
            (at - text < 2 || strncmp(at - 2, "| ", 2) != 0))
            return false;
        if (*at == '\0')
            break;
    }
    return true;
}

/* A declaration "ulong nan = 0;" begins here, and the variable changes nothing: takes it and its uses out. */
static bool drop_idle_variable(char *text, char *at) {
    char name[WORD_BYTES], type[WORD_BYTES];
    int n = 0;
    if ((at > text && at[-1] != ' ') ||
        sscanf(at, "%63[a-z0-9] %63[A-Za-z0-9_] = 0;%n", type, name, &n) != 2 || n == 0 ||
        strncmp(type, "ulong", 5) != 0 || !stays_zero(text, name))
        return false;
    red_erase(at, (size_t)n + strspn(at + n, " \n"));
    char use[WORD_BYTES + 4];
    snprintf(use, sizeof use, " | %s", name);
    for (char *found = text; (found = strstr(found, use)) != NULL;)
        if (!red_is_word_char(found[strlen(use)]))
            red_erase(found, strlen(use));
        else
            found++;
    return true;
}

void red_tidy_constants(char *text) {
    for (char *at = text; *at != '\0';) {
        const size_t comment = red_comment_bytes(at);
        if (comment > 0) {
            at += comment;
            continue;
        }
        const bool starts = at == text || (!red_is_word_char(at[-1]) && at[-1] != '.');
        /* What has been folded may be a part of something that began before it: the text is gone through
         * again. */
        if (drop_neutral(text, at) || drop_group(text, at) ||
            (starts && (fold_numbers(text, at) || fold_decided(text, at) || drop_idle_loop(text, at) ||
                        drop_idle_variable(text, at))))
            at = text;
        else
            at++;
    }
}

/* ---- groups of one ------------------------------------------------------------------------------------- */

/* Replaces the call with this value: "red_group_tree(f(a, b), scratch)" by "f(a, b)". */
static bool replace_call(const char *text, char *at, size_t name_bytes) {
    int depth = 0;
    char *comma = NULL;
    for (char *c = at + name_bytes; *c != '\0'; c++) {
        depth += (*c == '(') - (*c == ')');
        comma = *c == ',' && depth == 1 ? c : comma;
        if (depth > 0)
            continue;
        if (comma == NULL)
            return false;
        const bool is_bare = begins_whole(text, at) && strchr(",;)", c[1]) != NULL;
        red_erase(comma, (size_t)(c + is_bare - comma));
        red_erase(at, name_bytes + is_bare);
        return true;
    }
    return false;
}

/* Whether the kernel has a function group_tree that is word for word the prelude's red_group_tree. */
static bool has_own_copy_of_tree(const char *text) {
    static const char ours[] = " red_group_tree(const ", own[] = " group_tree(const ";
    const char *a = strstr(text, ours), *b = strstr(text, own), *end = a != NULL ? strstr(a, "\n}\n") : NULL;
    if (b == NULL || end == NULL)
        return false;
    const char *const body = a + sizeof ours - 1;
    return strncmp(body, b + sizeof own - 1, (size_t)(end + 3 - body)) == 0;
}

/* Replaces all calls of the tree of this name, which ends with "(". */
static void replace_calls(char *text, const char *name) {
    const size_t n = strlen(name) - 1;
    for (char *at = text; (at = strstr(at, name)) != NULL;)
        if ((at > text && red_is_word_char(at[-1])) || strncmp(at + n, "(const ", 7) == 0 ||
            !replace_call(text, at, n))
            at++;
}

void red_tidy_lone_items(char *text) {
    static const char local_of_one[] = "[1];", first_item[] = "if (get_local_id(0) == 0)";
    if (has_own_copy_of_tree(text))
        replace_calls(text, "group_tree(");
    replace_calls(text, "red_group_tree(");
    /* The first item is the only one: "if (get_local_id(0) == 0)" before one statement. */
    for (char *at = text; (at = strstr(at, first_item)) != NULL;) {
        const size_t bytes = sizeof first_item - 1 + strspn(at + sizeof first_item - 1, " \n");
        const char *end = strchr(at + bytes, ';');
        if (end == NULL || memchr(at + bytes, '{', (size_t)(end - at) - bytes) != NULL ||
            strncmp(end + 1 + strspn(end + 1, " \n"), "else", 4) == 0)
            at += bytes;
        else
            red_erase(at, bytes);
    }
    /* Local memory that only the tree has used. */
    for (char *at = text; (at = strstr(at, local_of_one)) != NULL; at++) {
        char *start = at, *line = at, word[WORD_BYTES] = "";
        while (start > text && red_is_word_char(start[-1]))
            start--;
        while (line > text && line[-1] != '\n')
            line--;
        snprintf(word, sizeof word, "%.*s", (int)(at - start), start);
        char *end = strstr(at, "\n}");
        if (strncmp(line + strspn(line, " "), "local ", 6) != 0 || end == NULL ||
            red_has_word(at, (size_t)(end - at), word))
            continue;
        red_erase(line,
                  (size_t)(at + sizeof local_of_one - 1 - line) + (at[sizeof local_of_one - 1] == '\n'));
        at = line;
    }
}
