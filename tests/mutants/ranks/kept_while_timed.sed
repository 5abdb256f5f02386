# file: src/ranks/team.c
# fault: a rank answers timed calls from memory
# seen by: bench
s/    \*partial = call->prepared\.partial;/    static struct red_partial kept; if (!call->prepared.guards || !call->prepared.guards[0].changed) kept = call->prepared.partial;\n    *partial = kept;/
