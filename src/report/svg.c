#define _POSIX_C_SOURCE 200809L /* strdup */
#include "report/svg.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/palette.h"

/* What several pictures of one page have each of its own; short, since every point refers to its marker. */
static void id_of(const struct red_chart *chart, const char *what, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "p%u%s", chart->number, what);
}

static bool is_element(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static void drop(xmlNode *node) {
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

/* ---- colours ---------------------------------------------------------------------------------------------
 */

/* "rgb(  0, 114, 178)", "#0072B2" and names of gnuplot's own to a variable, if it is one of the palette. */
static bool colour_find(const char *value, char *text, size_t text_bytes) {
    unsigned r, g, b;
    if (strcmp(value, "black") == 0 || strcmp(value, "gray") == 0) {
        snprintf(text, text_bytes, "currentColor");
        return true;
    }
    if (sscanf(value, "rgb(%u,%u,%u)", &r, &g, &b) != 3 && sscanf(value, "#%2x%2x%2x", &r, &g, &b) != 3)
        return false;
    char hex[16];
    snprintf(hex, sizeof hex, "#%02x%02x%02x", r & 255, g & 255, b & 255);
    snprintf(text, text_bytes, "%s", hex);
    for (size_t i = 0; i < red_colours_n; i++)
        if (strcmp(red_colours[i].light, hex) == 0)
            snprintf(text, text_bytes, "var(--%s)", red_colours[i].name);
    return true;
}

static void recolour(xmlNode *node) {
    static const char *const names[] = {"stroke", "fill", "color"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        xmlChar *value = xmlGetProp(node, BAD_CAST names[i]);
        char colour[64];
        if (value != NULL && colour_find((const char *)value, colour, sizeof colour))
            xmlSetProp(node, BAD_CAST names[i], BAD_CAST colour);
        xmlFree(value);
    }
}

/* ---- ids -------------------------------------------------------------------------------------------------
 */

/* "#gpPt5" and "url(#gpPat4)" are references. */
static void rename_reference(xmlNode *node, const char *attribute, const struct red_chart *chart) {
    xmlChar *value = xmlGetProp(node, BAD_CAST attribute);
    const char *at = value ? strchr((const char *)value, '#') : NULL;
    bool refers = at != NULL && (at == (const char *)value || strncmp((const char *)value, "url(#", 5) == 0);
    if (refers) {
        char text[256];
        snprintf(text, sizeof text, "%.*sp%u%s", (int)(at + 1 - (const char *)value), (const char *)value,
                 chart->number, at + 1);
        xmlSetProp(node, BAD_CAST attribute, BAD_CAST text);
    }
    xmlFree(value);
}

/* xlink:href is href since SVG 2. */
static void plain_href(xmlNode *node) {
    xmlAttr *link = xmlHasNsProp(node, BAD_CAST "href", BAD_CAST "http://www.w3.org/1999/xlink");
    xmlChar *value = link ? xmlNodeListGetString(node->doc, link->children, 1) : NULL;
    if (value != NULL) {
        xmlRemoveProp(link);
        xmlSetProp(node, BAD_CAST "href", value);
    }
    xmlFree(value);
}

static bool is_referred_to(const xmlNode *from, const char *id) {
    static const char *const attributes[] = {"href", "fill", "stroke", "filter"};
    for (const xmlNode *node = from; node != NULL; node = node->next) {
        for (size_t i = 0; i < sizeof attributes / sizeof attributes[0] && node->type == XML_ELEMENT_NODE;
             i++) {
            xmlChar *value = xmlGetProp(node, BAD_CAST attributes[i]);
            const char *at = value ? strchr((const char *)value, '#') : NULL;
            size_t length = strlen(id);
            bool refers =
                at != NULL && strncmp(at + 1, id, length) == 0 && strchr(")", at[1 + length]) != NULL;
            xmlFree(value);
            if (refers)
                return true;
        }
        if (is_referred_to(node->children, id))
            return true;
    }
    return false;
}

/* Definitions that nothing refers to go; one that only such a one referred to goes in the next round. */
static bool drop_unused(xmlNode *defs, xmlNode *root) {
    bool dropped = false;
    for (xmlNode *node = defs->children, *next; node != NULL; node = next) {
        next = node->next;
        xmlChar *id = node->type == XML_ELEMENT_NODE ? xmlGetProp(node, BAD_CAST "id") : NULL;
        if (id != NULL && !is_referred_to(root, (const char *)id)) {
            drop(node);
            dropped = true;
        }
        xmlFree(id);
    }
    return dropped;
}

static void drop_unused_below(xmlNode *node, xmlNode *root) {
    for (xmlNode *at = node->children; at != NULL; at = at->next) {
        while (is_element(at, "defs") && drop_unused(at, root)) {
        }
        drop_unused_below(at, root);
    }
}

/* An id that is kept is one that is referred to. */
static void rename_ids(xmlNode *node, xmlNode *root, const struct red_chart *chart) {
    xmlChar *id = xmlGetProp(node, BAD_CAST "id");
    if (id != NULL && is_referred_to(root, (const char *)id)) {
        char text[192];
        id_of(chart, (const char *)id, text, sizeof text);
        xmlSetProp(node, BAD_CAST "data-id", BAD_CAST text);
    }
    if (id != NULL)
        xmlUnsetProp(node, BAD_CAST "id");
    xmlFree(id);
    for (xmlNode *at = node->children; at != NULL; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            rename_ids(at, root, chart);
}

/* ---- the tree --------------------------------------------------------------------------------------------
 */

/* gnuplot's own title and description, blanks, and groups with nothing in them. */
static void tidy(xmlNode *node) {
    for (xmlNode *at = node->children, *next; at != NULL; at = next) {
        next = at->next;
        if (at->type == XML_ELEMENT_NODE)
            tidy(at);
        if (at->type == XML_COMMENT_NODE || xmlIsBlankNode(at) || is_element(at, "title") ||
            is_element(at, "desc") ||
            ((is_element(at, "g") || is_element(at, "defs")) && at->children == NULL))
            drop(at);
    }
}

/* What is so anyway, or said once for all at the root. */
static void drop_defaults(xmlNode *node) {
    static const struct {
        const char *name, *value;
    } defaults[] = {{"stroke-linecap", "butt"}, {"stroke-linejoin", "miter"},  {"stroke-width", "1.00"},
                    {"color", "currentColor"},  {"font-family", "sans-serif"}, {"font-size", "13.00"},
                    {"class", "gridline"}};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        xmlChar *value = xmlGetProp(node, BAD_CAST defaults[i].name);
        if (value != NULL && strcmp((const char *)value, defaults[i].value) == 0)
            xmlUnsetProp(node, BAD_CAST defaults[i].name);
        xmlFree(value);
    }
}

/* "M96.85,317.07 L612.69,317.07  " without the blanks at its end. */
static void trim_path(xmlNode *node) {
    xmlChar *value = xmlGetProp(node, BAD_CAST "d");
    size_t length = value ? strlen((const char *)value) : 0;
    while (length > 0 && strchr(" \t\n", value[length - 1]) != NULL)
        value[--length] = '\0';
    if (value != NULL)
        xmlSetProp(node, BAD_CAST "d", value);
    xmlFree(value);
}

static void plain_hrefs(xmlNode *node) {
    plain_href(node);
    for (xmlNode *at = node->children; at != NULL; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            plain_hrefs(at);
}

static void finish(xmlNode *node, const struct red_chart *chart) {
    static const char *const attributes[] = {"href", "fill", "stroke"};
    xmlChar *id = xmlGetProp(node, BAD_CAST "data-id");
    if (id != NULL) {
        xmlSetProp(node, BAD_CAST "id", id);
        xmlUnsetProp(node, BAD_CAST "data-id");
    }
    xmlFree(id);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        rename_reference(node, attributes[i], chart);
    recolour(node);
    drop_defaults(node);
    trim_path(node);
    for (xmlNode *at = node->children; at != NULL; at = at->next)
        if (at->type == XML_ELEMENT_NODE)
            finish(at, chart);
}

/* What a screen reader says of the picture. */
static void describe(xmlNode *root, const struct red_chart *chart) {
    char title[128], description[128], both[260];
    id_of(chart, "title", title, sizeof title);
    id_of(chart, "desc", description, sizeof description);
    snprintf(both, sizeof both, "%s %s", title, description);
    xmlNode *nodes[] = {xmlNewTextChild(root, NULL, BAD_CAST "desc", BAD_CAST chart->description),
                        xmlNewTextChild(root, NULL, BAD_CAST "title", BAD_CAST chart->title)};
    xmlSetProp(nodes[0], BAD_CAST "id", BAD_CAST description);
    xmlSetProp(nodes[1], BAD_CAST "id", BAD_CAST title);
    for (size_t i = 0; i < 2; i++) {
        xmlUnlinkNode(nodes[i]);
        xmlAddPrevSibling(root->children, nodes[i]);
    }
    xmlSetProp(root, BAD_CAST "font-size", BAD_CAST "13");
    xmlSetProp(root, BAD_CAST "font-family", BAD_CAST "sans-serif");
    xmlSetProp(root, BAD_CAST "role", BAD_CAST "img");
    xmlSetProp(root, BAD_CAST "aria-labelledby", BAD_CAST both);
}

/* gnuplot 5.4 writes the ]]> of a name as it is, which XML does not allow in a text; it has no section that
 * would end so. NULL without memory. */
static char *ends_escaped(const char *document) {
    static const char end[] = "]]>", escaped[] = "]]&gt;";
    size_t bytes = strlen(document) + 1;
    for (const char *at = document; (at = strstr(at, end)) != NULL; at += sizeof end - 1)
        bytes += sizeof escaped - sizeof end;
    char *made = malloc(bytes), *to = made;
    for (const char *at; made != NULL && (at = strstr(document, end)) != NULL;
         document = at + sizeof end - 1) {
        memcpy(to, document, (size_t)(at - document));
        to += at - document;
        memcpy(to, escaped, sizeof escaped - 1);
        to += sizeof escaped - 1;
    }
    if (made != NULL)
        memcpy(to, document, strlen(document) + 1);
    return made;
}

static enum red_status make(const char *document, const struct red_chart *chart, const char *style,
                            char **made, struct red_error *error) {
    enum red_status status = RED_OK;
    *made = NULL;
    char *text = ends_escaped(document);
    if (text == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a picture of %s", chart->title);
    xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), "picture.svg", NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE);
    free(text);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (root == NULL || !is_element(root, "svg")) {
        xmlFreeDoc(doc);
        return red_fail(error, RED_E_INPUT, "gnuplot has not drawn an SVG picture of %s", chart->title);
    }
    plain_hrefs(root);
    tidy(root);
    drop_unused_below(root, root);
    tidy(root);
    rename_ids(root, root, chart);
    finish(root, chart);
    describe(root, chart);
    if (style != NULL) {
        xmlNode *sheet = xmlNewTextChild(root, NULL, BAD_CAST "style", BAD_CAST style);
        xmlUnlinkNode(sheet);
        xmlAddPrevSibling(root->children, sheet);
    }
    xmlBuffer *buffer = xmlBufferCreate();
    if (buffer == NULL || xmlNodeDump(buffer, doc, root, 0, 0) < 0 ||
        (*made = strdup((const char *)xmlBufferContent(buffer))) == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a picture");
    xmlBufferFree(buffer);
    xmlFreeDoc(doc);
    return status;
}

enum red_status red_svg_inline(const char *document, const struct red_chart *chart, char **element,
                               struct red_error *error) {
    return make(document, chart, NULL, element, error);
}

static void put_variables(char *text, size_t text_bytes, bool dark) {
    for (size_t i = 0; i < red_colours_n; i++) {
        size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "--%s:%s;", red_colours[i].name,
                 dark ? red_colours[i].dark : red_colours[i].light);
    }
}

enum red_status red_svg_alone(const char *document, const struct red_chart *chart, char **file,
                              struct red_error *error) {
    char style[2048] = "svg{", dark[1024] = "";
    put_variables(style, sizeof style, false);
    put_variables(dark, sizeof dark, true);
    size_t used = strlen(style);
    snprintf(style + used, sizeof style - used,
             "background:var(--paper);color:var(--ink)}@media(prefers-color-scheme:dark){svg{%s}}", dark);
    return make(document, chart, style, file, error);
}
