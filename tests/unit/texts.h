/* Texts that tests write to files, read back and change. After testing.h. */
#ifndef CLREDUCE_TESTS_TEXTS_H
#define CLREDUCE_TESTS_TEXTS_H

static inline void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Release with free. */
static inline char *file_text(const char *path) {
    enum { ROOM_BYTES = 1 << 22 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(ROOM_BYTES);
    assert_true(file != NULL && text != NULL);
    const size_t n = fread(text, 1, ROOM_BYTES, file);
    assert_in_range(n, 0, ROOM_BYTES - 1);
    text[n] = '\0';
    fclose(file);
    return text;
}

#define assert_file_holds(path, expected) assert_file_holds_at(path, expected, __FILE__, __LINE__)
static inline void assert_file_holds_at(const char *path, const char *expected, const char *file, int line) {
    char *text = file_text(path);
    _assert_string_equal(text, expected, file, line);
    free(text);
}

/* The text with the first `from` replaced. Release with free. */
static inline char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("no '%s' in: %s", from, text);
    const size_t bytes = strlen(text) + strlen(to) + 1;
    char *made = malloc(bytes);
    assert_non_null(made);
    snprintf(made, bytes, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

#endif
