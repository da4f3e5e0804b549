"""Runs in the machine: lets a program's main thread stand still, and only that, until the program is gone."""

import ctypes
import os
import sys

SEIZE, INTERRUPT, CONT = 0x4206, 0x4207, 7
EVENT_STOP = 128

process = int(sys.argv[1])
ptrace = ctypes.CDLL(None, use_errno=True).ptrace
ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
for request in (SEIZE, INTERRUPT):
    if ptrace(request, process, None, None) == -1:
        sys.exit(os.strerror(ctypes.get_errno()))
while True:
    try:
        _, status = os.waitpid(process, 0x40000000)
    except ChildProcessError:
        break
    if not os.WIFSTOPPED(status):
        break
    if status >> 16 != EVENT_STOP:  # a signal for it is passed on
        ptrace(CONT, process, None, os.WSTOPSIG(status))
