/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.c: what all sections of the page are made of. */
#include "tools/report/sections.h"

void shunt_html_section(struct shunt_log_text *text, const char *id, const char *heading)
{
    shunt_log_text_string(text, "<section aria-labelledby=\"");
    shunt_log_text_string(text, id);
    shunt_log_text_string(text, "\">\n<h2 id=\"");
    shunt_log_text_string(text, id);
    shunt_log_text_string(text, "\">");
    shunt_drawing_escape(text, heading);
    shunt_log_text_string(text, "</h2>\n");
}

void shunt_html_section_end(struct shunt_log_text *text)
{
    shunt_log_text_string(text, "</section>\n");
}

void shunt_html_say(struct shunt_log_text *text, const char *class, const char *string)
{
    shunt_log_text_string(text, "<p class=\"");
    shunt_log_text_string(text, class);
    shunt_log_text_string(text, "\">");
    shunt_drawing_escape(text, string);
    shunt_log_text_string(text, "</p>\n");
}

void shunt_html_words_begin(struct shunt_html_words *words)
{
    words->text =
        (struct shunt_log_text){.bytes = words->bytes, .capacity = sizeof words->bytes - 1};
}

const char *shunt_html_words_end(struct shunt_html_words *words)
{
    words->bytes[words->text.used] = '\0';
    return words->bytes;
}

void shunt_html_key(struct shunt_log_text *text, const char *class, const char *letter,
                    const char *string)
{
    shunt_log_text_string(text, "<li><i class=\"");
    shunt_log_text_string(text, class);
    shunt_log_text_string(text, "\"></i>");
    if (letter) {
        shunt_log_text_string(text, "<b>");
        shunt_log_text_string(text, letter);
        shunt_log_text_string(text, "</b>");
    }
    shunt_drawing_escape(text, string);
    shunt_log_text_string(text, "</li>\n");
}
