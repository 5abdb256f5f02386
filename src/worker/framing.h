/* What goes through the socket between a worker and who asks it: one JSON object at a time. */
#ifndef CLREDUCE_WORKER_FRAMING_H
#define CLREDUCE_WORKER_FRAMING_H

#include <jansson.h>

/* Sends an object, whose reference it takes over (NULL is an ENOMEM). 0, or an errno. */
int red_message_send(int channel, json_t *message);

/* Waits for an object; the caller releases it. NULL where the other side is gone, or sends what is none. */
json_t *red_message_receive(int channel);

#endif
