"""Runs a command in a pseudo-terminal and answers its questions, as a person would.

usage: terminal.py SECONDS STEPS COMMAND...   STEPS: JSON list of {"expect": text, "send": text}

Prints all that the terminal showed, without escape sequences. Exits as the command does; 124 when an expected text
does not come in time.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|\r")


def main() -> int:
    seconds, steps, command = float(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
    shown = b""
    seen = 0
    end = time.monotonic() + seconds
    late = False
    while True:
        text = ESCAPES.sub("", shown.decode("utf-8", "replace"))
        if steps and steps[0]["expect"] in text[seen:]:
            seen = text.index(steps[0]["expect"], seen) + len(steps[0]["expect"])
            os.write(terminal, steps.pop(0)["send"].encode())
            continue
        left = end - time.monotonic()
        if left <= 0:
            late = True
            os.kill(pid, 9)
            # Whatever else may hold the terminal open: nobody waits for that.
            if left < -5:
                break
        ready, _, _ = select.select([terminal], [], [], max(left, 0.1))
        if not ready:
            continue
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    _, status = os.waitpid(pid, 0)
    sys.stdout.write(ESCAPES.sub("", shown.decode("utf-8", "replace")))
    if steps:
        sys.stdout.write(f"\n[never asked: {steps[0]['expect']}]\n")
    return 124 if late or steps else os.waitstatus_to_exitcode(status)


sys.exit(main())
