"""The example programs that the public Python client ships, and its command zulip-api, unchanged, against the sandbox.

Run by test_client.py. Each program is read from the installed package and carried out as its own __main__; what it prints is the server's
answer. NOT_RUN says which are left out, and why.
"""

import ast
import contextlib
import io
import os
import re
import runpy
import subprocess
import sys

import zulip

EXAMPLES = os.path.join(os.path.dirname(zulip.__file__), "examples")

# Operations that the sandbox does not have (src/sandbox/registry.ts); it answers with 501.
OUT_OF_SCOPE = {
    "mute-topic": ["mute", "general", "dinner"],
}
NOT_RUN = {
    "create-user": "a real server refuses it as well, but to the few accounts that may make others",
    "welcome-message": "it reads a message's sender_short_name, which servers stopped sending before level 320",
    "zuliprc": "no program",
}


def run_example(sandbox, name: str, *arguments: str, owner: str = "owner") -> str:
    """Runs the program in this process, with its own arguments, and returns its output."""
    config = os.path.join(sandbox.keys, f"{sandbox.address(owner)}.zuliprc")
    argv, sys.argv = sys.argv, [name, *arguments, "--config-file", config]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(os.path.join(EXAMPLES, name), run_name="__main__")
    finally:
        sys.argv = argv
    return printed.getvalue()


def answer(sandbox, name: str, *arguments: str, owner: str = "owner") -> dict:
    """Programs print the answer as Python writes it."""
    return ast.literal_eval(run_example(sandbox, name, *arguments, owner=owner).strip().split("\n")[-1])


def success(sandbox, name: str, *arguments: str, owner: str = "owner") -> dict:
    result = answer(sandbox, name, *arguments, owner=owner)
    if result["result"] != "success":
        raise AssertionError(f"{name}: {result}")
    return result


def stream_id(sandbox, name: str) -> str:
    return str(sandbox.client("owner").get_stream_id(name)["stream_id"])


def message_in(sandbox, topic: str, content: str = "An example") -> str:
    sent = success(sandbox, "send-message", "--type", "stream", "general", "--subject", topic, "--message", content)
    return str(sent["id"])


def test_example_send_message(sandbox) -> None:
    assert int(message_in(sandbox, "examples")) > 0
    success(sandbox, "send-message", sandbox.client("member").get_profile()["email"], "--message", "Between us")


def test_example_edit_message_and_history(sandbox) -> None:
    sent = message_in(sandbox, "edited", "first")
    success(sandbox, "edit-message", "--message-id", sent, "--content", "second", "--subject", "changed")
    history = success(sandbox, "message-history", sent)["message_history"]
    assert [each["content"] for each in history] == ["first", "second"], history
    assert "highlight_text_inserted" in history[1]["content_html_diff"], history
    assert success(sandbox, "get-raw-message", sent)["raw_content"] == "second"


def test_example_delete_message(sandbox) -> None:
    sent = message_in(sandbox, "deleted")
    success(sandbox, "delete-message", sent)
    assert answer(sandbox, "get-raw-message", sent)["msg"] == "Invalid message(s)"


def test_example_get_messages(sandbox) -> None:
    sent = message_in(sandbox, "read")
    narrow = '[{"operator": "topic", "operand": "read"}]'
    found = success(sandbox, "get-messages", "--anchor", sent, "--num-before", "3", "--num-after", "3", "--narrow", narrow)
    assert [each["id"] for each in found["messages"]] == [int(sent)], found
    success(sandbox, "get-messages", "--use-first-unread-anchor", "--num-before", "5", "--num-after", "0", "--apply-markdown")


def test_example_get_history(sandbox) -> None:
    message_in(sandbox, "kept")
    path = os.path.join(sandbox.directory.name, "history.json")
    printed = run_example(sandbox, "get-history", "--stream", "general", "--topic", "kept", "--filename", path)
    assert "Writing 1 messages" in printed, printed


def test_example_update_message_flags(sandbox) -> None:
    sent = message_in(sandbox, "flags")
    assert success(sandbox, "update-message-flags", "add", "starred", sent)["messages"] == [int(sent)]
    assert success(sandbox, "update-message-flags", "remove", "starred", sent)["messages"] == [int(sent)]


def test_example_streams(sandbox) -> None:
    success(sandbox, "subscribe", "--streams", "examples")
    names = [each["name"] for each in success(sandbox, "get-subscriptions")["subscriptions"]]
    assert "examples" in names, names
    assert "examples" in [each["name"] for each in success(sandbox, "get-public-streams")["streams"]]
    changed = stream_id(sandbox, "examples")
    success(sandbox, "edit-stream", "--stream-id", changed, "--new-name", "example", "--history-public-to-subscribers")
    success(sandbox, "get-stream-topics", "--stream-id", stream_id(sandbox, "general"))
    # The program puts names in quotation marks, which servers no longer remove.
    assert success(sandbox, "unsubscribe", "--streams", '"example"')["removed"] == ['"example"']
    success(sandbox, "delete-stream", changed)


def test_example_list_users(sandbox) -> None:
    assert "Ada Okafor" in run_example(sandbox, "list-users")


def test_example_realm_emoji(sandbox) -> None:
    assert success(sandbox, "realm-emoji")["emoji"] == {}


def test_example_upload_file(sandbox) -> None:
    path = os.path.join(sandbox.directory.name, "cat.txt")
    with open(path, "w") as file:
        file.write("meow")
    assert re.search(r"File URI: /user_uploads/.*cat\.txt", run_example(sandbox, "upload-file", "--file-path", path))


def run_until(sandbox, name: str, wanted: str, act) -> None:
    """Programs that listen forever, in a separate process."""
    config = os.path.join(sandbox.keys, f"{sandbox.address('member')}.zuliprc")
    command = [sys.executable, "-u", os.path.join(EXAMPLES, name), "--config-file", config]
    user_id = sandbox.client("member").get_profile()["user_id"]
    before = sandbox.registers(user_id)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        sandbox.await_registers(user_id, before + 1)
        act()
        for line in running.stdout:
            if wanted in line:
                return
        raise AssertionError(f"{name} ended without printing {wanted!r}")
    finally:
        running.terminate()
        running.wait(timeout=10)


def test_example_print_messages(sandbox) -> None:
    run_until(sandbox, "print-messages", "can you hear me", lambda: message_in(sandbox, "heard", "can you hear me"))


def test_example_print_events(sandbox) -> None:
    owner, member = sandbox.client("owner"), sandbox.client("member")
    other = member.get_profile()["user_id"]
    owner.add_subscriptions([{"name": "Denmark"}], principals=[owner.get_profile()["user_id"], other])
    message = {"type": "stream", "to": "Denmark", "topic": "t", "content": "something rotten"}
    run_until(sandbox, "print-events", "something rotten", lambda: owner.send_message(message))


def test_example_alert_words(sandbox) -> None:
    assert answer(sandbox, "alert-words", "get")["alert_words"] == []


def test_example_get_user_presence(sandbox) -> None:
    sandbox.client("owner").update_presence({"status": "active", "ping_only": True, "new_user_input": True})
    assert answer(sandbox, "get-user-presence", "--email", "ada@acme.example")["presence"]["aggregated"]["status"] == "active"


def test_example_out_of_scope(sandbox) -> None:
    for name, arguments in OUT_OF_SCOPE.items():
        result = answer(sandbox, name, *arguments)
        assert result.get("code") == "NOT_IN_SANDBOX", (name, result)


def test_every_example_is_run_or_named(sandbox) -> None:
    with open(__file__) as file:
        run = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', file.read()))
    left = [name for name in os.listdir(EXAMPLES) if name not in run | set(NOT_RUN) | set(OUT_OF_SCOPE)]
    assert left == [], left


def test_command_zulip_api(sandbox) -> None:
    """Every command of zulip-api. It reads ~/zuliprc when it is loaded."""
    from click.testing import CliRunner

    os.environ["HOME"] = sandbox.directory.name
    with open(os.path.join(sandbox.keys, f"{sandbox.address('owner')}.zuliprc")) as keys:
        with open(os.path.join(sandbox.directory.name, "zuliprc"), "w") as own:
            own.write(keys.read())
    with contextlib.redirect_stdout(io.StringIO()):
        from zulip.cli import cli

    sent = message_in(sandbox, "commands")
    commands = [
        ["send-message", "--stream", "general", "--subject", "commands", "--message", "hello"],
        ["update-message", sent, "--message", "changed"],
        ["add-reaction", sent, "octopus"],
        ["remove-reaction", sent, "octopus"],
        ["get-message-history", sent],
        ["mark-all-as-read"],
        ["get-subscriptions"],
        ["delete-message", sent],
    ]
    for command in commands:
        result = CliRunner().invoke(cli, command)
        assert result.exit_code == 0, (command, result.output)
    assert {each[0] for each in commands} | {"upload-file"} == set(cli.commands), "a command is left out"
