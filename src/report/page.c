#include "report/page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/gnuplot.h"

void red_page_fail(struct red_page *page, enum red_status status) {
    if (page->status == RED_OK)
        page->status = status;
}

char *red_page_draw(struct red_page *page, const struct red_chart *chart, enum red_terminal terminal) {
    struct red_error found = {.text = ""};
    char *drawn = NULL;
    if (!page->with_pictures || page->status != RED_OK)
        return NULL;
    enum red_status status = red_gnuplot_draw(chart, terminal, &drawn, &found);
    if (status == RED_E_UNSUPPORTED) {
        fprintf(stderr, "%s; going on with the tables alone\n", found.text);
        page->with_pictures = false;
    } else if (status != RED_OK) {
        red_page_fail(page, red_fail(page->error, status, "%s", found.text));
    }
    return drawn;
}

void red_page_id(const char *text, char *id, size_t id_bytes) {
    size_t used = 0;
    for (; *text != '\0' && used + 1 < id_bytes; text++) {
        bool fits = isalnum((unsigned char)*text) && (unsigned char)*text < 128;
        if (fits || (used > 0 && id[used - 1] != '-'))
            id[used++] = fits ? (char)tolower((unsigned char)*text) : '-';
    }
    while (used > 0 && id[used - 1] == '-')
        used--;
    id[used] = '\0';
}
