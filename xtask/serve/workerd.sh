#!/bin/sh
# Runs the real workerd so that it cannot outlive the process that started it, and so that its
# successor on the same state waits until it is gone: the lock is held by workerd itself.
exec 9>>"$GRANTLOG_WORKERD_LOCK"
flock 9
exec setpriv --pdeathsig KILL -- "$GRANTLOG_WORKERD" "$@"
