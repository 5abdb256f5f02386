#include "worker/framing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "core/memory.h"

/* A message fits into a socket's smallest buffer; every question and answer is far below. */
enum { MESSAGE_BYTES = 96 * 1024 };

int red_message_send(int channel, json_t *message) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    int code = text == NULL ? ENOMEM : length > MESSAGE_BYTES ? EMSGSIZE : 0;
    ssize_t sent = -1;
    do
        sent = code == 0 ? send(channel, text, length, MSG_NOSIGNAL) : 0;
    while (sent < 0 && errno == EINTR);
    if (code == 0 && sent != (ssize_t)length)
        code = sent < 0 ? errno : EIO;
    free(text);
    json_decref(message);
    return code;
}

json_t *red_message_receive(int channel) {
    char *text = malloc(MESSAGE_BYTES);
    ssize_t length = -1;
    if (text == NULL)
        red_memory_lacks();
    do /* a driver's own signals do not end a worker */
        length = text ? recv(channel, text, MESSAGE_BYTES, 0) : -1;
    while (text != NULL && length < 0 && errno == EINTR);
    json_t *message = length > 0 ? json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, NULL) : NULL;
    free(text);
    if (json_is_object(message))
        return message;
    json_decref(message);
    return NULL;
}
