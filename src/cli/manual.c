/* The verb `manual`, which --help does not list: prints the manual page (--format man) and the shell's
 * completion (bash), from the tables of verbs and options. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "export/suite.h"
#include "model/types.h"

static bool verb_takes_option(const struct red_verb *verb, const struct red_option *option) {
    return red_verb_options(verb) >> (option - red_option_table) & 1;
}

/* ---- the manual page ----------------------------------------------------------------------------------- */

/* Writes roff up to the end of the text or a character that ends it, with `line_end` for each line feed: a
 * backslash and a line's first dot or quote are special, and a hyphen is no minus. Gives what follows. */
static const char *put_roff_text(FILE *out, const char *text, char end, const char *line_end) {
    bool begins = true;
    for (; *text != '\0' && *text != end; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        begins = *text == '\n';
        fputs(begins          ? line_end
              : *text == '\\' ? "\\e"
              : *text == '-'  ? "\\-"
                              : (const char[]){*text, '\0'},
              out);
    }
    return text;
}

/* Begins an option of the manual page: "-o, --output=FILE". */
static void put_option_name(FILE *out, const struct red_option *option) {
    fputs(".TP\n", out);
    if (option == &red_option_table[RED_OPTION_OUTPUT])
        fputs("\\fB\\-o\\fR, ", out);
    fputs("\\fB\\-\\-", out);
    put_roff_text(out, option->name, '\0', "\n");
    fputs("\\fR", out);
    if (option->argument != NULL)
        fprintf(out, option->may_lack ? "[=\\fI%s\\fR]" : "=\\fI%s\\fR", option->argument);
    fputc('\n', out);
}

/* Writes the help of --format: every format of every verb, "; of report html, md, svg". */
static void put_format_help(FILE *out) {
    char formats[64];
    fputs("How to write: table, json or csv", out);
    for (size_t v = 0; v < red_verbs_n; v++)
        if (red_verbs[v]->formats != 0 && red_verbs[v]->summary != NULL)
            fprintf(out, "; of %s %s", red_verbs[v]->name,
                    red_formats_format(red_verbs[v]->formats, ", ", ", ", formats, sizeof formats));
    fputc('\n', out);
}

/* Writes an option of the manual page: its name, its help, and "Taken by" with the verbs. */
static void put_option(FILE *out, const struct red_option *option) {
    put_option_name(out, option);
    if (option->help != NULL)
        put_roff_text(out, option->help, '\0', "\n");
    else
        put_format_help(out);
    fputs(option->help != NULL ? ".\n.br\nTaken by" : ".br\nTaken by", out);
    const char *comma = " ";
    for (size_t v = 0; v < red_verbs_n; v++) {
        if (red_verbs[v]->summary == NULL || !verb_takes_option(red_verbs[v], option))
            continue;
        fprintf(out, "%s\\fB%s\\fR", comma, red_verbs[v]->name);
        comma = ", ";
    }
    fputs(".\n", out);
}

/* Writes a verb of the manual page. The text of --help has a vertical tab before its examples, one a line. */
static void put_verb(FILE *out, const struct red_verb *verb) {
    fprintf(out, ".SS clreduce %s\n", verb->name);
    const char *examples = put_roff_text(out, verb->documentation, '\v', "\n.PP\n");
    fputs("\n", out);
    if (*examples == '\0')
        return;
    fputs(".PP\n.nf\n", out);
    put_roff_text(out, examples + 1, '\0', "\n");
    fputs("\n.fi\n", out);
}

/* Exit statuses and variables of the environment. */
struct manual_entry {
    const char *name, *meaning;
};

static const struct manual_entry statuses[] = {
    {"0", "Every cell that ran is right, and nothing is confirmed slower."},
    {"1", "A cell is confirmed slower (duel), or takes longer than allowed (compare)."},
    {"2", "A result was wrong."},
    {"3", "There is no answer where one was required, or a recommendation costs more than it may."},
    {"4", "Bad usage or input."},
    {"5", "An OpenCL call failed, a driver crashed, or gave no answer in time."},
    {"77", "Nothing could run."},
    {"130", "Interrupted; what there was is in the outputs."},
};

static const struct manual_entry variables[] = {
    {"OCL_ICD_VENDORS", "Where the OpenCL loader looks for drivers. Without it drivers in a folder "
                        "drivers/vendors beside the program are used, if there is one."},
    {"TMPDIR", "Where files go that nobody needs afterwards, instead of /tmp."},
};

/* Writes a section of the manual page: a title and its entries. */
static void put_entries(FILE *out, const char *title, const struct manual_entry *entries, size_t n) {
    fprintf(out, ".SH %s\n", title);
    for (size_t i = 0; i < n; i++)
        fprintf(out, ".TP\n.B %s\n%s\n", entries[i].name, entries[i].meaning);
}

/* Writes the whole manual page; a red_file_writer. */
static enum red_status write_man(const void *unused, FILE *out, struct red_error *error) {
    (void)unused, (void)error;
    fputs(".TH CLREDUCE 1 \"\" \"clreduce " CLREDUCE_VERSION "\" \"User commands\"\n"
          ".SH NAME\nclreduce \\- parallel reductions, scans and histograms in OpenCL 1.x and 2.x side by "
          "side\n"
          ".SH SYNOPSIS\n.B clreduce\n.I VERB\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
          ".SH DESCRIPTION\nOn this device, with this driver, how should an array be reduced, scanned or "
          "counted in "
          "bins, and "
          "what does "
          "OpenCL 2.x buy over 1.x? Strategies are verified against an exact sum, then timed side by side, "
          "and compared with an OpenMP loop on the same data.\n.SH VERBS\n",
          out);
    for (size_t v = 0; v < red_verbs_n; v++)
        if (red_verbs[v]->summary != NULL)
            put_verb(out, red_verbs[v]);
    fputs(".SH OPTIONS\nLists are separated by commas and take globs; sizes are such as 1000,2^20+1 or "
          "2^10..2^24:x4.\n",
          out);
    for (size_t i = 0; i < RED_OPTIONS_N; i++)
        put_option(out, &red_option_table[i]);
    put_entries(out, "EXIT STATUS", statuses, sizeof statuses / sizeof statuses[0]);
    put_entries(out, "ENVIRONMENT", variables, sizeof variables / sizeof variables[0]);
    return RED_OK;
}

/* ---- completion ---------------------------------------------------------------------------------------- */

/* Writes the names with a blank between them. */
static void put_names(FILE *out, const char *const *names, size_t names_n) {
    for (size_t i = 0; i < names_n; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", names[i]);
}

/* Writes a branch of `case $verb`: options and formats of the verb, and whether it takes files. */
static void put_bash_verb(FILE *out, const struct red_verb *verb) {
    char formats[64];
    fprintf(out, "    %s)\n        options='--help", verb->name);
    for (size_t i = 0; i < RED_OPTIONS_N; i++)
        if (verb_takes_option(verb, &red_option_table[i]))
            fprintf(out, " --%s", red_option_table[i].name);
    fprintf(out, "'\n        formats='%s'\n        files=%s\n        ;;\n",
            red_formats_format(red_verb_formats(verb), " ", " ", formats, sizeof formats),
            verb->files != NULL ? "yes" : "no");
}

/* Whether the completion offers file names for the option's value. */
static bool is_file_option(const struct red_option *option) {
    static const char *const kinds[] = {"FILE", "PATH", "PROGRAM"};
    for (size_t i = 0; option->argument != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(option->argument, kinds[i]) == 0)
            return true;
    return false;
}

/* Whether the completion can offer nothing, since only the user knows the value. */
static bool has_open_value(const struct red_option *option) {
    static const char *const known[] = {"format", "op", "type", "strategy", "source"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(option->name, known[i]) == 0)
            return false;
    return option->argument != NULL && !option->may_lack && !is_file_option(option);
}

/* Writes the options that `takes_it` takes as a pattern of bash: "--base | --head". */
static void put_option_pattern(FILE *out, bool (*takes_it)(const struct red_option *)) {
    const char *bar = "";
    for (size_t i = 0; i < RED_OPTIONS_N; i++) {
        if (!takes_it(&red_option_table[i]))
            continue;
        fprintf(out, "%s--%s", bar, red_option_table[i].name);
        bar = " | ";
    }
}

/* Writes the whole completion; a red_file_writer. */
static enum red_status write_bash(const void *unused, FILE *out, struct red_error *error) {
    (void)unused, (void)error;
    fputs("# Completion of clreduce for bash; made from its tables of verbs and options.\n"
          "# shellcheck shell=bash\n"
          "_clreduce() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} "
          "verb=${COMP_WORDS[1]:-}\n"
          "    local options='' formats='' files=no\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W '--help --version",
          out);
    for (size_t v = 0; v < red_verbs_n; v++)
        if (red_verbs[v]->summary != NULL)
            fprintf(out, " %s", red_verbs[v]->name);
    fputs("' -- \"$word\")\n        return\n    fi\n    case $verb in\n", out);
    for (size_t v = 0; v < red_verbs_n; v++)
        if (red_verbs[v]->summary != NULL)
            put_bash_verb(out, red_verbs[v]);
    fputs("    esac\n"
          "    # --option=value comes as three words\n"
          "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    if [ \"$word\" = = ]; then word=''; fi\n"
          "    case $before in\n"
          "    --format) mapfile -t COMPREPLY < <(compgen -W \"$formats\" -- \"$word\") ;;\n"
          "    --op) mapfile -t COMPREPLY < <(compgen -W '",
          out);
    put_names(out, red_op_names, red_ops_n);
    fputs("' -- \"$word\") ;;\n    --type) mapfile -t COMPREPLY < <(compgen -W '", out);
    put_names(out, red_dtype_names, red_dtypes_n);
    fputs("' -- \"$word\") ;;\n"
          "    --strategy | --source)\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$(clreduce strategies --format csv 2>/dev/null | "
          "sed -n '2,$s/,.*//p')\" -- \"$word\")\n"
          "        ;;\n    ",
          out);
    put_option_pattern(out, is_file_option);
    fputs(" | -o) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n    ", out);
    put_option_pattern(out, has_open_value);
    fputs(") ;;\n"
          "    *)\n"
          "        mapfile -t COMPREPLY < <(\n"
          "            compgen -W \"$options\" -- \"$word\"\n"
          "            [ \"$files\" = no ] || [ \"${word#-}\" != \"$word\" ] || compgen -f -- \"$word\"\n"
          "        )\n"
          "        ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _clreduce clreduce\n",
          out);
    return RED_OK;
}

static enum red_status run_manual(const struct red_options *options, struct red_error *error) {
    return red_file_write(options->output.path,
                          options->output.format == RED_FORMAT_BASH ? write_bash : write_man, NULL, error);
}

const struct red_verb red_verb_manual = {
    .name = "manual",
    .options = RED_OUTPUT_OPTIONS,
    .formats = RED_FORMAT_BIT(MAN) | RED_FORMAT_BIT(BASH),
    .ends_at_once = true,
    .documentation = "Prints the manual page, or the completion for bash; installing uses this.",
    .run = run_manual,
};
