/* Text that any reader of JSON takes, or of XML. */
#ifndef CLREDUCE_CORE_UTF8_H
#define CLREDUCE_CORE_UTF8_H

/* A copy in which every run of bytes that is no UTF-8 (a sequence that was cut, another encoding) is one
 * U+FFFD. Release with free; NULL if there is no memory. */
char *red_utf8_repaired(const char *text);

/* The same, and each character that XML has no place for (XML 1.0, "Char": control characters other than tab,
 * line feed and carriage return, U+FFFE and U+FFFF) is U+FFFD, too. */
char *red_utf8_cleaned(const char *text);

#endif
