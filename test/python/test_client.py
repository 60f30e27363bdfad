"""The public Python client, used against the sandbox as its own documentation uses it against a real server: calls of our own here and
in test_methods.py (every method of the client), the programs that it ships in test_examples.py, and its bots, unchanged.

    python test_client.py CLI

CLI is the built realmctl. Prints one line for each test, and "N passed, N failed" last.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request

import zulip

import test_examples
import test_methods
import test_recipes


ADDRESSES = {"owner": "ada@acme.example", "member": "dmitri@acme.example"}


class Sandbox:
    """An organization from a snapshot, as docs/sandbox.md recommends for rehearsals."""

    def __init__(self, cli: str) -> None:
        self.directory = tempfile.TemporaryDirectory()
        snapshot = os.path.join(self.directory.name, "realm.json")
        self.keys = os.path.join(self.directory.name, "keys")
        self.start(cli)
        zuliprc = os.path.join(self.keys, "owner.zuliprc")
        subprocess.run(["node", cli, "snapshot", "--zuliprc", zuliprc, "--out", snapshot], check=True)
        self.end()
        self.start(cli, "--from", snapshot)

    def start(self, cli: str, *more: str) -> None:
        self.process = subprocess.Popen(
            ["node", cli, "sandbox", "--zuliprc-dir", self.keys, "--rate-limits", "off", *more],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()
        for line in self.process.stdout:
            if "Stop with" in line:
                break

    def address(self, name: str) -> str:
        return ADDRESSES[name]

    def client(self, name: str) -> zulip.Client:
        return zulip.Client(config_file=os.path.join(self.keys, f"{ADDRESSES[name]}.zuliprc"), client="PythonTest")

    def registers(self, user_id: int) -> int:
        """How many event queues the account has registered so far."""
        with urllib.request.urlopen(f"{self.url}/sandbox/log") as answer:
            log = json.load(answer)["requests"]
        return sum(each["user_id"] == user_id and each["path"].endswith("/register") for each in log)

    def await_registers(self, user_id: int, count: int) -> None:
        """A program does not get messages that were sent before it registered its queue."""
        for _ in range(300):
            if self.registers(user_id) >= count:
                return
            time.sleep(0.2)
        raise AssertionError(f"account {user_id} did not register")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)

    def stop(self) -> None:
        self.end()
        self.directory.cleanup()


def expect(found, wanted) -> None:
    if found != wanted:
        raise AssertionError(f"expected {wanted!r}, found {found!r}")


def succeeded(result: dict, ignored: list | None = None) -> dict:
    """Some calls of the client repeat an id of the path in the body, which the server reports as a parameter it does not know."""
    expect((result.get("result"), result.get("msg")), ("success", ""))
    expect(result.get("ignored_parameters_unsupported"), ignored)
    return result


def channel_id(client: zulip.Client, name: str) -> int:
    return succeeded(client.get_stream_id(name))["stream_id"]


def test_server_settings_and_profile(sandbox: Sandbox) -> None:
    client = sandbox.client("owner")
    settings = succeeded(client.get_server_settings())
    assert settings["zulip_feature_level"] >= 320
    expect(settings["realm_url"], sandbox.url)
    expect(succeeded(client.get_profile())["delivery_email"], client.email)


def test_register(sandbox: Sandbox) -> None:
    answer = succeeded(sandbox.client("owner").register(event_types=["message", "realm_user"]))
    expect(answer["last_event_id"], -1)
    assert any(user["delivery_email"] for user in answer["realm_users"])


def test_call_on_each_event(sandbox: Sandbox) -> None:
    listener, speaker = sandbox.client("member"), sandbox.client("owner")
    events = []
    heard = threading.Event()

    def listen(event: dict) -> None:
        events.append(event)
        heard.set()

    thread = threading.Thread(target=listener.call_on_each_event, args=(listen, ["message"]), daemon=True)
    thread.start()
    time.sleep(1)
    sent = succeeded(
        speaker.send_message({"type": "stream", "to": "general", "topic": "python", "content": "Can you hear me?"})
    )
    assert heard.wait(5), "no event within five seconds"
    expect(events[0]["type"], "message")
    expect(events[0]["message"]["id"], sent["id"])
    expect(events[0]["message"]["content"], "Can you hear me?")


def test_get_streams(sandbox: Sandbox) -> None:
    names = [stream["name"] for stream in succeeded(sandbox.client("owner").get_streams())["streams"]]
    assert "general" in names


def test_add_subscriptions(sandbox: Sandbox) -> None:
    client = sandbox.client("owner")
    member = sandbox.client("member")
    other = succeeded(member.get_profile())["user_id"]
    answer = succeeded(
        client.add_subscriptions([{"name": "python made", "description": "By a client of strangers"}], principals=[other])
    )
    expect(answer["subscribed"], {str(other): ["python made"]})
    again = succeeded(client.add_subscriptions([{"name": "python made"}], principals=[other]))
    expect(again["already_subscribed"], {str(other): ["python made"]})
    assert "python made" in [each["name"] for each in succeeded(member.get_subscriptions())["subscriptions"]]
    removed = succeeded(client.remove_subscriptions(["python made"], principals=[other]))
    expect(removed["removed"], ["python made"])


def test_update_stream(sandbox: Sandbox) -> None:
    client = sandbox.client("owner")
    stream_id = channel_id(client, "general")
    succeeded(client.update_stream({"stream_id": stream_id, "description": "Changed from Python"}), ["stream_id"])
    streams = succeeded(client.get_streams())["streams"]
    expect([each["description"] for each in streams if each["stream_id"] == stream_id], ["Changed from Python"])


def test_messages(sandbox: Sandbox) -> None:
    client = sandbox.client("member")
    sent = succeeded(
        client.send_message({"type": "stream", "to": "general", "topic": "editing", "content": "I am *wrong*"})
    )
    succeeded(client.update_message({"message_id": sent["id"], "content": "I am **right**"}), ["message_id"])
    answer = succeeded(
        client.get_messages(
            {
                "anchor": "newest",
                "num_before": 10,
                "num_after": 0,
                "narrow": [{"operator": "channel", "operand": "general"}, {"operator": "topic", "operand": "editing"}],
                "apply_markdown": False,
            }
        )
    )
    found = [each for each in answer["messages"] if each["id"] == sent["id"]]
    expect([each["content"] for each in found], ["I am **right**"])
    raw = succeeded(client.get_raw_message(sent["id"]))
    expect(raw["raw_content"], "I am **right**")


def test_direct_message(sandbox: Sandbox) -> None:
    sender, receiver = sandbox.client("owner"), sandbox.client("member")
    to = succeeded(receiver.get_profile())["user_id"]
    succeeded(sender.send_message({"type": "private", "to": [to], "content": "Between us"}))
    answer = succeeded(
        receiver.get_messages(
            {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [{"operator": "is", "operand": "dm"}]}
        )
    )
    expect(answer["messages"][0]["content"], "<p>Between us</p>")


def test_get_user_groups(sandbox: Sandbox) -> None:
    groups = succeeded(sandbox.client("owner").get_user_groups())["user_groups"]
    assert "role:administrators" in [group["name"] for group in groups]


def test_refusals(sandbox: Sandbox) -> None:
    client = sandbox.client("member")
    answer = client.update_stream({"stream_id": channel_id(client, "general"), "new_name": "mine"})
    expect((answer["result"], answer["code"]), ("error", "BAD_REQUEST"))
    missing = sandbox.client("owner").get_stream_id("no such channel")
    expect((missing["result"], missing["msg"]), ("error", "Invalid channel name 'no such channel'"))


def test_uploads(sandbox: Sandbox) -> None:
    client = sandbox.client("owner")
    path = os.path.join(sandbox.directory.name, "notes.txt")
    with open(path, "w") as file:
        file.write("some notes")
    with open(path, "rb") as file:
        assert succeeded(client.upload_file(file))["url"].endswith("notes.txt")
    attachments = succeeded(client.get_attachments())["attachments"]
    assert "notes.txt" in [each["name"] for each in attachments], attachments


def test_a_queue_that_is_gone_is_registered_again(sandbox: Sandbox) -> None:
    """The client meets BAD_EVENT_QUEUE_ID by registering again, as it does after a restart of a real server."""
    client = sandbox.client("owner")
    answer = client.get_events(queue_id="not:there", last_event_id=-1)
    expect((answer["result"], answer["code"]), ("error", "BAD_EVENT_QUEUE_ID"))


def make_bot(sandbox: Sandbox, name: str, **more) -> dict:
    owner = sandbox.client("owner")
    request = {"full_name": name.title(), "short_name": name, **more}
    made = succeeded(owner.call_endpoint(url="bots", method="POST", request=request))
    bots = succeeded(owner.register(fetch_event_types=["realm_bot"]))["realm_bots"]
    return {**[each for each in bots if each["user_id"] == made["user_id"]][0], "key": made["api_key"]}


def zuliprc(sandbox: Sandbox, bot: dict, section: str = "api") -> str:
    path = os.path.join(sandbox.directory.name, f"{section}-{bot['user_id']}.zuliprc")
    with open(path, "w") as file:
        file.write(f"[{section}]\nemail={bot['email']}\nkey={bot['key']}\nsite={sandbox.url}\n")
        if section != "api":
            file.write(f"token={bot['services'][0]['token']}\n")
    return path


def program(name: str) -> str:
    return os.path.join(os.path.dirname(sys.executable), name)


def answer_of(client: zulip.Client, bot: dict, narrow: list, sent: int) -> str:
    """The bot's answer to the message, within half a minute."""
    for _ in range(150):
        request = {"anchor": "newest", "num_before": 10, "num_after": 0, "narrow": narrow, "apply_markdown": False}
        for message in succeeded(client.get_messages(request))["messages"]:
            if message["id"] > sent and message["sender_id"] == bot["user_id"]:
                return message["content"]
        time.sleep(0.2)
    raise AssertionError(f"{bot['full_name']} did not answer")


def says(sandbox: Sandbox, bot: dict, text: str, where: str) -> str:
    client = sandbox.client("owner")
    if where == "direct":
        sent = succeeded(client.send_message({"type": "private", "to": [bot["user_id"]], "content": text}))
        return answer_of(client, bot, [{"operator": "dm", "operand": [bot["user_id"]]}], sent["id"])
    content = f"@**{bot['full_name']}** {text}"
    sent = succeeded(client.send_message({"type": "stream", "to": "general", "topic": "bots", "content": content}))
    channel = "followup" if bot["full_name"] == "Followup" else "general"
    return answer_of(client, bot, [{"operator": "channel", "operand": channel}], sent["id"])


def bot_by_event_queue(sandbox: Sandbox, name: str, expected: list, config: str = "") -> None:
    bot = make_bot(sandbox, name)
    command = [program("zulip-run-bot"), name, "--config-file", zuliprc(sandbox, bot)]
    if config:
        path = os.path.join(sandbox.directory.name, f"{name}.conf")
        with open(path, "w") as file:
            file.write(config)
        command += ["--bot-config-file", path]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        sandbox.await_registers(bot["user_id"], 1)
        for where, text, answer in expected:
            expect(says(sandbox, bot, text, where), answer)
    finally:
        running.terminate()
        running.wait(timeout=10)


def test_bot_helloworld(sandbox: Sandbox) -> None:
    bot_by_event_queue(sandbox, "helloworld", [(where, "hello", "beep boop") for where in ("mentioned", "direct")])


def test_bot_encrypt(sandbox: Sandbox) -> None:
    answer = "Encrypted/Decrypted text: uryyb"
    bot_by_event_queue(sandbox, "encrypt", [(where, "hello", answer) for where in ("mentioned", "direct")])


def test_bot_converter(sandbox: Sandbox) -> None:
    answer = "2 m = 200.0 cm"
    bot_by_event_queue(
        sandbox, "converter", [(where, "2 m cm", answer) for where in ("mentioned", "direct")]
    )


def test_bot_followup(sandbox: Sandbox) -> None:
    owner = sandbox.client("owner")
    succeeded(owner.add_subscriptions([{"name": "followup"}]))
    sender = succeeded(owner.get_profile())["email"]
    answer = f"from {sender}: buy coal"
    bot_by_event_queue(
        sandbox, "followup", [("mentioned", "buy coal", answer)], config="[followup]\nstream = followup\n"
    )


def test_bot_server_by_outgoing_webhook(sandbox: Sandbox) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bot = make_bot(sandbox, "hooked", bot_type=3, payload_url=json.dumps(f"http://127.0.0.1:{port}"), interface_type=1)
    config = zuliprc(sandbox, bot, "helloworld")
    command = [program("zulip-botserver"), "--config-file", config, "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(150):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        for where in ("mentioned", "direct"):
            expect(says(sandbox, bot, "hello", where), "beep boop")
    finally:
        running.terminate()
        running.wait(timeout=10)


def main() -> int:
    sandbox = Sandbox(sys.argv[1])
    passed = failed = 0
    try:
        tests = {**globals(), **vars(test_examples), **vars(test_methods), **vars(test_recipes)}
        for name, test in sorted(tests.items()):
            if not name.startswith("test_") or not callable(test):
                continue
            try:
                test(sandbox)
                passed += 1
                print(f"ok      {name}")
            except Exception:
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}")
    finally:
        sandbox.stop()
    print(json.dumps({"passed": passed, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
