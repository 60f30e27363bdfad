"""The recipe of docs/sandbox.md for a Python project's CI, run as it stands there. Run by test_client.py.

What it installs is installed, and its port may be taken here: so pip does nothing, the port is a free one, and pytest carries out the lines
that the page shows as such a project's test.
"""

import os
import re
import signal
import socket
import subprocess
import sys

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "sandbox.md")


def block(language: str, words: str) -> str:
    with open(PAGE) as page:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.M | re.S)
    found = [text for kind, text in blocks if kind == language and words in text]
    assert len(found) == 1, f"docs/sandbox.md has {len(found)} blocks of {language} with {words!r}"
    return found[0]


def program(directory: str, name: str, text: str) -> None:
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def test_recipe_of_a_python_project(sandbox) -> None:
    recipe = block("sh", "pip install zulip")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        recipe = recipe.replace("9911", str(free.getsockname()[1]))
    directory = os.path.join(sandbox.directory.name, "recipe")
    bin_directory = os.path.join(directory, "bin")
    os.makedirs(bin_directory)
    with open(os.path.join(directory, "check.py"), "w") as file:
        file.write("import os\nimport zulip\n" + block("python", "zulip.Client") + "print('the client got through')\n")
    cli = os.path.abspath(sys.argv[1])
    program(bin_directory, "pip", "#!/bin/sh\n")
    program(bin_directory, "npx", f'#!/bin/sh\n[ "$1" = realmctl ] && shift\nexec node "{cli}" "$@"\n')
    program(bin_directory, "pytest", f'#!/bin/sh\nexec "{sys.executable}" check.py\n')
    environment = {**os.environ, "PATH": f"{bin_directory}:{os.environ['PATH']}"}
    running = subprocess.Popen(
        ["bash", "-e", "-c", recipe],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        # The sandbox continues in the background, as in CI. The recipe ends with its last line.
        printed = ""
        for line in running.stdout:
            printed += line
            if "the client got through" in line:
                return
        raise AssertionError(printed)
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(timeout=10)
