/* Text that any reader of JSON takes. */
#ifndef CLREDUCE_RECORD_UTF8_H
#define CLREDUCE_RECORD_UTF8_H

/* A copy in which every run of bytes that is no UTF-8 (a sequence that was cut, another encoding) is one
 * U+FFFD. Release with free; NULL if there is no memory. */
char *red_utf8_repaired(const char *text);

#endif
