"""Programs that play, most of them badly: ``python odd_program.py BEHAVIOUR [FILE]``.

Each answers as it should (the last legal action) but for what its behaviour says.
"""

import json
import os
import signal
import subprocess
import sys
import time


def say(answer: object) -> None:
    print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)


def respond(behaviour: str, told: dict) -> None:
    """Answer a question."""
    answer = {"id": told["id"], "action": told["legal"][-1]}
    second = told["id"] == 2
    if behaviour == "dies" or (behaviour == "dies once" and second):
        print("cannot go on", file=sys.stderr, flush=True)
        os._exit(3)
    elif behaviour == "is killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif behaviour == "hangs" or (behaviour == "hangs once" and second):
        time.sleep(3600)
    elif behaviour == "closes its output":
        os.close(1)
        time.sleep(3600)
    elif behaviour == "closes its input":
        os.close(0)
        time.sleep(3600)
    elif behaviour == "writes without end":
        while True:
            say("more")
    elif behaviour == "writes a line without end":
        while True:
            sys.stdout.write("more" * 10000)
    elif behaviour == "complains a lot":
        sys.stderr.write("oh dear\n" * 100_000)
        sys.stderr.flush()
        say(answer)
    elif behaviour == "is illegal":
        say(answer | {"action": "discard 9z" if second else answer["action"]})
    elif behaviour == "is silent":
        pass
    elif behaviour == "adds fields":
        say({"type": "answer", "comment": "sure", **answer, "value": 0.5})
    elif second and behaviour.startswith("says "):
        say(behaviour.removeprefix("says ").replace("ID", str(told["id"])))
    else:
        say(answer)


def main(behaviour: str, notes: str = os.devnull) -> None:
    with open(f"{notes}.{os.getpid()}" if notes != os.devnull else notes, "w") as file:
        for line in sys.stdin:
            told = json.loads(line)
            print(line, end="", file=file, flush=True)
            if told["type"] == "hello":
                if behaviour == "never stops":
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    child = [sys.executable, "-c", "import time; time.sleep(3600)"]
                    print(subprocess.Popen(child).pid, file=file, flush=True)
                say({"type": "hello", "protocol": 1, "name": "odd/1"})
            elif told["type"] == "question":
                respond(behaviour, told)
    while behaviour == "never stops":
        time.sleep(1)


main(*sys.argv[1:])
