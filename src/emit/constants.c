/* Removes what macros leave where a constant decides: arithmetic of numbers, choices between equals, loops
 * that never run, sums with a variable that stays 0, and the tree of a group of one. expand.c calls it with
 * the text of a kernel; the user sees NAME.cl without them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit/private.h"

enum { WORD_BYTES = 64 };

static void erase(char *at, size_t n) {
    memmove(at, at + n, strlen(at + n) + 1);
}

/* Writes `value` in place of n characters, which are no fewer. */
static void replace(char *at, size_t n, const char *value) {
    const size_t length = strlen(value);
    memcpy(at, value, length);
    erase(at + length, n - length);
}

/* Bytes of a whole number without a suffix that begins here, and its value; 0 if there is none. */
static size_t number_bytes(const char *at, unsigned *value) {
    const size_t n = strspn(at, "0123456789");
    if (n == 0 || n > 6 || red_is_word_char(at[n]) || at[n] == '.')
        return 0;
    sscanf(at, "%u", value);
    return n;
}

/* The same of one that may have the suffix u, or be a hexadecimal digit, as a lane's number is: "0xa". */
static size_t any_number_bytes(const char *at, unsigned *value, bool *is_unsigned) {
    const bool is_hex = strncmp(at, "0x", 2) == 0 && isxdigit((unsigned char)at[2]);
    const size_t n = is_hex ? 3 : strspn(at, "0123456789");
    const bool is_suffixed = at[n] == 'u';
    if (n == 0 || n > 6 || red_is_word_char(at[n + is_suffixed]) || at[n + is_suffixed] == '.')
        return 0;
    sscanf(at, is_hex ? "%x" : "%u", value);
    *is_unsigned = *is_unsigned || is_suffixed;
    return n + is_suffixed;
}

/* The last character before `at` that is no blank; '\n' at the start. */
static char character_before(const char *text, const char *at) {
    while (at > text && at[-1] == ' ')
        at--;
    return at > text ? at[-1] : '\n';
}

/* Whether what stands here begins a whole: the right side of an assignment, an argument, an index. */
static bool begins_whole(const char *text, const char *at) {
    while (at > text && at[-1] == ' ')
        at--;
    return at > text && (strchr("(,[", at[-1]) != NULL ||
                         (at[-1] == '=' && (at - text < 2 || strchr("=<>!", at[-2]) == NULL)));
}

/* "16 * 4" is 64, where nothing before it binds as strongly: tells whether it has folded one. */
static bool fold_product(const char *text, char *at) {
    unsigned a = 0, b = 0;
    bool is_unsigned = false;
    char value[16];
    const size_t first = any_number_bytes(at, &a, &is_unsigned);
    if (first == 0 || at[first] != ' ' || strchr("*/%", at[first + 1]) == NULL || at[first + 2] != ' ')
        return false;
    const size_t second = any_number_bytes(at + first + 3, &b, &is_unsigned);
    const char sign = at[first + 1];
    if (second == 0 || (sign != '*' && b == 0) || strchr("*/%.", character_before(text, at)) != NULL)
        return false;
    snprintf(value, sizeof value, "%u%s",
             sign == '*'   ? a * b
             : sign == '/' ? a / b
                           : a % b,
             is_unsigned ? "u" : "");
    if (strlen(value) > first + 3 + second)
        return false;
    replace(at, first + 3 + second, value);
    return true;
}

/* "64 < 64 ? 64 : 32" is 32, and "i < n ? i : i" is i, each of them a whole. */
static bool fold_comparison(const char *text, char *at) {
    char words[4][WORD_BYTES];
    int n = 0;
    unsigned a = 0, b = 0;
    if (sscanf(at, "%63[A-Za-z0-9_] < %63[A-Za-z0-9_] ? %63[A-Za-z0-9_] : %63[A-Za-z0-9_]%n", words[0],
               words[1], words[2], words[3], &n) != 4 ||
        n == 0 || !begins_whole(text, at) || strchr(";),]", at[n]) == NULL)
        return false;
    const bool numbers = number_bytes(words[0], &a) > 0 && number_bytes(words[1], &b) > 0;
    if (!numbers && strcmp(words[2], words[3]) != 0)
        return false;
    replace(at, (size_t)n, numbers && a < b ? words[2] : words[3]);
    return true;
}

/* "256 - 1" is 255, where nothing beside it binds as strongly or stronger. */
static bool fold_sum(const char *text, char *at) {
    unsigned a = 0, b = 0;
    char value[16];
    const size_t first = number_bytes(at, &a);
    const bool adds = strncmp(at + first, " + ", 3) == 0;
    if (first == 0 || !(adds || strncmp(at + first, " - ", 3) == 0))
        return false;
    const size_t second = number_bytes(at + first + 3, &b), n = first + 3 + second;
    if (second == 0 || (!adds && b > a) || strchr("=(,[&|<>?:", character_before(text, at)) == NULL ||
        strchr("*/%.", at[n + strspn(at + n, " ")]) != NULL)
        return false;
    snprintf(value, sizeof value, "%u", adds ? a + b : a - b);
    replace(at, n, value);
    return true;
}

/* "x + 0" is x, where what follows does not bind stronger; "0 + x" is x, where a whole begins. */
static bool drop_zero(const char *text, char *at) {
    if (strncmp(at, "0 + ", 4) == 0 && begins_whole(text, at)) {
        erase(at, 4);
        return true;
    }
    if (strncmp(at, " + 0", 4) != 0 || red_is_word_char(at[4]) || at[4] == '.' ||
        strchr("*/%", at[4 + strspn(at + 4, " ")]) != NULL)
        return false;
    erase(at, 4);
    return true;
}

/* Bytes of a name, a number, a call, "later(v)", or what stands in parentheses, that begins here. */
static size_t value_bytes(const char *at) {
    size_t n = 0;
    while (red_is_word_char(at[n]))
        n++;
    if (at[n] != '(')
        return n;
    for (int depth = 0; at[n] != '\0'; n++) {
        depth += (at[n] == '(') - (at[n] == ')');
        if (depth == 0)
            return n + 1;
    }
    return 0;
}

/* "0 ? before : with" is with, and "1 ? before : with" is before, each of them a whole. */
static bool fold_decided(const char *text, char *at) {
    unsigned number = 0;
    const size_t n = number_bytes(at, &number);
    if (n == 0 || strncmp(at + n, " ? ", 3) != 0 || !begins_whole(text, at))
        return false;
    char *yes = at + n + 3, *no = yes + value_bytes(yes) + 3;
    if (no == yes + 3 || strncmp(no - 3, " : ", 3) != 0 || value_bytes(no) == 0 ||
        strchr(";),]", no[value_bytes(no)]) == NULL)
        return false;
    if (number != 0)
        erase(no - 3, 3 + value_bytes(no));
    erase(at, (size_t)((number != 0 ? yes : no) - at));
    return true;
}

/* "x * 1" is x. */
static bool drop_one(char *at) {
    if (strncmp(at, " * 1", 4) != 0 || red_is_word_char(at[4]) || at[4] == '.')
        return false;
    erase(at, 4);
    return true;
}

/* Reads a sum of numbers, "32 + 16 - 1", into *value; gives its bytes, 0 if there is none. */
static size_t sum_bytes(const char *at, long *value, int *operators_n) {
    unsigned number = 0;
    size_t n = number_bytes(at, &number), more;
    *value = number;
    while (n > 0 && (strncmp(at + n, " + ", 3) == 0 || strncmp(at + n, " - ", 3) == 0)) {
        if ((more = number_bytes(at + n + 3, &number)) == 0)
            break;
        *value += at[n + 1] == '+' ? (long)number : -(long)number;
        n += 3 + more;
        ++*operators_n;
    }
    return n;
}

/* Operators of numbers, and how strongly they bind; one that another begins with stands behind that. */
static const struct {
    const char *sign;
    int strength;
} operators[] = {{"<<", 7}, {">>", 7}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5},
                 {"&&", 2}, {"||", 1}, {"*", 9},  {"/", 9},  {"%", 9},  {"+", 8},
                 {"-", 8},  {"<", 6},  {">", 6},  {"&", 4},  {"|", 3}};
enum {
    OPERATORS_N = sizeof operators / sizeof operators[0],
    VALUE_MAX = 1 << 24,
    COMPARES = 6,
    EQUALS = 5,
    LOGICAL = 2
};

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
                       : *sign == '&' ? twice ? a && b : a & b
                       : twice        ? a || b
                                      : a | b;
    return value <= VALUE_MAX ? value : -1;
}

/* Reads numbers and operators that bind at least so strongly, "255 | 255 >> 1", at 0 a choice, too, and moves
 * *at behind them. Gives the value, or -1 where there is none, and sets *is_unsigned where it is. */
static long read_value(const char **at, int strength_min, bool *is_unsigned) {
    unsigned number = 0;
    const size_t n = any_number_bytes(*at, &number, is_unsigned);
    long value = n > 0 ? (long)number : -1;
    *at += n;
    while (value >= 0) {
        size_t i = 0;
        const char *sign = *at + strspn(*at, " ");
        while (i < OPERATORS_N && strncmp(sign, operators[i].sign, strlen(operators[i].sign)) != 0)
            i++;
        if (i == OPERATORS_N || operators[i].strength < strength_min)
            break;
        *at = sign + strlen(operators[i].sign);
        *at += strspn(*at, " ");
        bool is_right_unsigned = false;
        const int strength = operators[i].strength;
        const long right = read_value(at, strength + 1, &is_right_unsigned);
        value = right >= 0 ? apply_operator(sign, value, right) : -1;
        *is_unsigned = (*is_unsigned || is_right_unsigned) && strength > LOGICAL && strength != EQUALS &&
                       strength != COMPARES;
    }
    if (value < 0 || strength_min > 0 || strncmp(*at, " ? ", 3) != 0)
        return value;
    *at += 3;
    *is_unsigned = false;
    const long yes = read_value(at, 0, is_unsigned);
    if (yes < 0 || strncmp(*at, " : ", 3) != 0)
        return -1;
    *at += 3;
    const long no = read_value(at, 0, is_unsigned);
    return no < 0 || value > 0 ? (no < 0 ? -1 : yes) : no;
}

/* Numbers and operators in parentheses that belong to no word are their value, with a suffix if that is
 * unsigned. */
static bool fold_group(const char *text, char *at) {
    char folded[24];
    const char *end = at + 1;
    bool is_unsigned = false;
    if (*at != '(' || red_is_word_char(character_before(text, at)))
        return false;
    const long value = read_value(&end, 0, &is_unsigned);
    snprintf(folded, sizeof folded, "%ld%s", value, is_unsigned ? "u" : "");
    if (value < 0 || *end != ')' || strlen(folded) > (size_t)(end + 1 - at))
        return false;
    replace(at, (size_t)(end + 1 - at), folded);
    return true;
}

/* An argument, an index or what stands in parentheses, if it is a sum of numbers, or one that is shifted by
 * another. */
static bool fold_whole(const char *text, char *at) {
    long value = 0, shift = 0;
    int operators_n = 0;
    size_t n = sum_bytes(at, &value, &operators_n);
    char folded[24];
    if (n == 0 || strchr("(,[", character_before(text, at)) == NULL)
        return false;
    const bool left = strncmp(at + n, " << ", 4) == 0, right = strncmp(at + n, " >> ", 4) == 0;
    if (left || right) {
        const size_t more = sum_bytes(at + n + 4, &shift, &operators_n);
        n += more > 0 ? 4 + more : 0;
        operators_n += more > 0;
    }
    if (operators_n == 0 || value < 0 || shift < 0 || shift > 16 || at[n] == '\0' ||
        strchr("),]", at[n]) == NULL)
        return false;
    snprintf(folded, sizeof folded, "%ld", left ? value << shift : value >> shift);
    if (strlen(folded) > n)
        return false;
    replace(at, n, folded);
    return true;
}

/* Where the braces close that open first from `at` on; NULL if they do not. */
static char *closing_brace(char *at) {
    int depth = 0;
    for (char *c = strchr(at, '{'); c != NULL && *c != '\0'; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth == 0)
            return c;
    }
    return NULL;
}

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
    char *end = closing_brace(at);
    if (end == NULL)
        return false;
    end += 1 + strspn(end + 1, " \n");
    while (end[-1] == ' ')
        end--;
    while (at > text && at[-1] == ' ')
        at--;
    erase(at, (size_t)(end - at));
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
    erase(at, (size_t)n + strspn(at + n, " \n"));
    char use[WORD_BYTES + 4];
    snprintf(use, sizeof use, " | %s", name);
    for (char *found = text; (found = strstr(found, use)) != NULL;)
        if (!red_is_word_char(found[strlen(use)]))
            erase(found, strlen(use));
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
        if (drop_zero(text, at) || drop_one(at) || fold_group(text, at) ||
            (starts && (fold_product(text, at) || fold_sum(text, at) || fold_whole(text, at) ||
                        fold_comparison(text, at) || fold_decided(text, at) || drop_idle_loop(text, at) ||
                        drop_idle_variable(text, at))))
            at = text;
        else
            at++;
    }
}

/* ---- groups of one ------------------------------------------------------------------------------------- */

/* Whether what stands from `at` to `end` is a whole initializer, argument or right side, so that a value
 * there needs no parentheses. */
static bool stands_alone(const char *text, const char *at, const char *end) {
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    const bool is_assigned = at - text > 1 && at[-1] == '=' && strchr("=!<>", at[-2]) == NULL;
    return (is_assigned || (at > text && strchr("(,", at[-1]) != NULL)) && strchr(",;)", *end) != NULL;
}

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
        const bool is_bare = stands_alone(text, at, c + 1);
        erase(comma, (size_t)(c + is_bare - comma));
        erase(at, name_bytes + is_bare);
        return true;
    }
    return false;
}

void red_tidy_lone_items(char *text) {
    static const char name[] = "red_group_tree(", local_of_one[] = "[1];",
                      first_item[] = "if (get_local_id(0) == 0)";
    const size_t n = sizeof name - 2;
    for (char *at = text; (at = strstr(at, name)) != NULL;)
        if (strncmp(at + n, "(const ", 7) == 0 || !replace_call(text, at, n))
            at++;
    /* The first item is the only one: "if (get_local_id(0) == 0)" before one statement. */
    for (char *at = text; (at = strstr(at, first_item)) != NULL;) {
        const size_t bytes = sizeof first_item - 1 + strspn(at + sizeof first_item - 1, " \n");
        const char *end = strchr(at + bytes, ';');
        if (end == NULL || memchr(at + bytes, '{', (size_t)(end - at) - bytes) != NULL ||
            strncmp(end + 1 + strspn(end + 1, " \n"), "else", 4) == 0)
            at += bytes;
        else
            erase(at, bytes);
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
        erase(line, (size_t)(at + sizeof local_of_one - 1 - line) + (at[sizeof local_of_one - 1] == '\n'));
        at = line;
    }
}
