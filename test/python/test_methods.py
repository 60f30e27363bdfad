"""Every method of the public Python client, called by us against the sandbox; its own programs are in test_examples.py.

A method that is new in a later version of the client fails test_every_method_is_called until somebody calls it here.
"""

import io
import os
import re

import zulip

# The sandbox does not have their operations (src/sandbox/registry.ts). It answers with 501, or with 405 if the path
# has other operations, as servers of its level do.
OUT_OF_SCOPE = {
    "check_messages_match_narrow": (),
    "mute_topic": ({"op": "add", "stream": "general", "topic": "t"},),
    "remove_user_group": (1,),
}
# Methods of the client itself: they send nothing, or all other methods use them.
NO_OPERATIONS = {"call_endpoint", "call_on_each_message", "do_api_query", "ensure_session", "get_user_agent"}


def ok(result: dict) -> dict:
    assert result["result"] == "success", result
    return result


def test_methods_out_of_scope(sandbox) -> None:
    client = sandbox.client("owner")
    for name, arguments in OUT_OF_SCOPE.items():
        keywords = {"msg_ids": [1], "narrow": []} if name == "check_messages_match_narrow" else {}
        result = getattr(client, name)(*arguments, **keywords)
        gone = result.get("code") == "NOT_IN_SANDBOX" or result["msg"] == "Method Not Allowed"
        assert gone, (name, result)


def test_methods_of_presence(sandbox) -> None:
    client = sandbox.client("owner")
    ok(client.update_presence({"status": "active", "ping_only": False, "new_user_input": False}))
    assert ok(client.get_user_presence("ada@acme.example"))["presence"]["aggregated"]["status"] == "active"
    assert client.get_profile()["email"] in ok(client.get_realm_presence())["presences"]


def test_methods_of_alert_words_and_storage(sandbox) -> None:
    client = sandbox.client("owner")
    ok(client.add_alert_words(["anvil"]))
    assert ok(client.get_alert_words())["alert_words"] == ["anvil"]
    assert ok(client.remove_alert_words(["anvil"]))["alert_words"] == []
    ok(client.update_storage({"storage": {"a": "b"}}))
    assert ok(client.get_storage())["storage"] == {"a": "b"}


def test_a_terminal_client_starts(sandbox) -> None:
    """What a client in the terminal asks when it starts: sign in, register with its capabilities, read, say that it is here."""
    owner = sandbox.client("owner")
    key = ok(owner.call_endpoint("fetch_api_key", "POST", {"username": owner.email, "password": owner.api_key}))["api_key"]
    client = zulip.Client(site=sandbox.url, email=owner.email, api_key=key)
    types = ["message", "update_message", "reaction", "subscription", "typing", "update_message_flags", "realm_user", "presence", "alert_words"]
    capabilities = {"notification_settings_null": True, "bulk_message_deletion": True, "user_avatar_url_field_optional": True}
    state = ok(
        client.register(
            event_types=types,
            fetch_event_types=[*types, "realm", "update_display_settings", "user_settings", "realm_emoji", "muted_topics", "user_topic"],
            client_gravatar=True,
            apply_markdown=True,
            include_subscribers=True,
            client_capabilities=capabilities,
        )
    )
    assert state["max_message_id"] > 0 and isinstance(state["presences"], dict) and state["alert_words"] == []
    for anchor in ("newest", "first_unread", "oldest"):
        query = {"anchor": anchor, "num_before": 10, "num_after": 10, "apply_markdown": True, "client_gravatar": True}
        assert ok(client.get_messages(query))["messages"], anchor
    ok(client.update_presence({"status": "active", "new_user_input": True}))
    ok(client.get_events(queue_id=state["queue_id"], last_event_id=state["last_event_id"], dont_block=True))
    settings = ok(client.get_server_settings())
    assert settings["authentication_methods"]["azuread"] is False
    names = [each["name"] for each in settings["external_authentication_methods"]]
    assert names == ["google", "github", "gitlab", "apple"], names


def test_methods_of_messages(sandbox) -> None:
    client = sandbox.client("owner")
    to = {"type": "stream", "to": "general", "topic": "methods"}
    sent = ok(client.send_message({**to, "content": "hello"}))["id"]
    ok(client.update_message({"message_id": sent, "content": "hello again"}))
    assert len(ok(client.get_message_history(sent))["message_history"]) == 2
    assert ok(client.get_raw_message(sent))["raw_content"] == "hello again"
    ok(client.add_reaction({"message_id": sent, "emoji_name": "octopus"}))
    ok(client.remove_reaction({"message_id": sent, "emoji_name": "octopus"}))
    ok(client.update_message_flags({"messages": [sent], "op": "add", "flag": "starred"}))
    assert ok(client.render_message({"content": "**bold**"}))["rendered"] == "<p><strong>bold</strong></p>"
    general = ok(client.get_stream_id("general"))["stream_id"]
    assert "methods" in [each["name"] for each in ok(client.get_stream_topics(general))["topics"]]
    ok(client.mark_topic_as_read(general, "methods"))
    ok(client.mark_stream_as_read(general))
    ok(client.mark_all_as_read())
    ok(client.set_typing_status({"op": "start", "to": [client.get_profile()["user_id"]]}))
    ok(client.add_subscriptions([{"name": "elsewhere"}]))
    ok(client.move_topic("general", "elsewhere", "methods", new_topic="moved"))
    narrow = [{"operator": "channel", "operand": "elsewhere"}]
    found = ok(client.get_messages({"anchor": "newest", "num_before": 5, "num_after": 0, "narrow": narrow}))["messages"]
    assert sent in [each["id"] for each in found], found
    ok(client.delete_message(sent))


def test_methods_of_uploads(sandbox) -> None:
    client = sandbox.client("owner")
    path = os.path.join(sandbox.directory.name, "method.txt")
    with open(path, "w+") as file:
        file.write("x")
        file.seek(0)
        ok(client.upload_file(file))
    assert "method.txt" in [each["name"] for each in ok(client.get_attachments())["attachments"]]
    # A GIF with one pixel.
    dot = io.BytesIO(bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"))
    dot.name = "dot.gif"
    ok(client.upload_custom_emoji("dot", dot))
    assert "dot" in [each["name"] for each in ok(client.get_realm_emoji())["emoji"].values()]
    ok(client.delete_custom_emoji("dot"))


def test_methods_of_channels(sandbox) -> None:
    client = sandbox.client("owner")
    own = ok(client.get_profile())["user_id"]
    ok(client.add_subscriptions([{"name": "workbench"}]))
    stream_id = ok(client.get_stream_id("workbench"))["stream_id"]
    assert "workbench" in [each["name"] for each in ok(client.get_streams())["streams"]]
    assert "workbench" in [each["name"] for each in ok(client.get_subscriptions())["subscriptions"]]
    assert "workbench" in [each["name"] for each in ok(client.list_subscriptions())["subscriptions"]]
    assert ok(client.get_subscribers(stream="workbench"))["subscribers"] == [own]
    assert ok(client.get_subscription_status(own, stream_id))["is_subscribed"] is True
    assert "@" in ok(client.get_stream_email_address(stream_id))["email"]
    ok(client.update_subscription_settings([{"stream_id": stream_id, "property": "pin_to_top", "value": True}]))
    ok(client.update_stream({"stream_id": stream_id, "description": "changed"}))
    ok(client.add_default_stream(stream_id))
    ok(client.remove_subscriptions(["workbench"]))
    ok(client.delete_stream(stream_id))


def test_methods_of_people(sandbox) -> None:
    client, other = sandbox.client("owner"), sandbox.client("member").get_profile()["user_id"]
    assert len(ok(client.get_users())["members"]) == len(ok(client.get_members())["members"]) > 10
    assert ok(client.get_user_by_id(other))["user"]["user_id"] == other
    name = client.get_user_by_id(other)["user"]["full_name"]
    ok(client.update_user_by_id(other, full_name="Somebody Else"))
    ok(client.update_user_by_id(other, full_name=name))
    ok(client.deactivate_user_by_id(other))
    ok(client.reactivate_user_by_id(other))
    # As on a real server: only its own administrators give that right.
    refused = client.create_user({"email": "new@acme.example", "password": "secret words", "full_name": "New"})
    assert refused["msg"] == "User not authorized to create users", refused
    ok(client.update_notification_settings({"enable_offline_push_notifications": True}))


def test_methods_of_groups(sandbox) -> None:
    client = sandbox.client("owner")
    own, other = client.get_profile()["user_id"], sandbox.client("member").get_profile()["user_id"]
    made = ok(client.create_user_group({"name": "smiths", "description": "At the anvil", "members": [own]}))["group_id"]
    ok(client.update_user_group({"group_id": made, "name": "the smiths", "description": "Still at it"}))
    ok(client.update_user_group_members(made, {"add": [other]}))
    group = [each for each in ok(client.get_user_groups())["user_groups"] if each["id"] == made][0]
    assert (group["name"], group["members"]) == ("the smiths", [own, other]), group


def test_methods_of_the_realm(sandbox) -> None:
    client = sandbox.client("owner")
    made = ok(client.add_realm_filter("#(?P<id>[0-9]+)", "https://bugs.example.org/{id}"))["id"]
    assert made in [each["id"] for each in ok(client.get_realm_linkifiers())["linkifiers"]]
    ok(client.remove_realm_filter(made))
    field = ok(client.create_realm_profile_field(name="Trade", hint="What you make", field_type=1))["id"]
    ok(client.update_realm_profile_field(field, name="Craft"))
    fields = ok(client.get_realm_profile_fields())["custom_fields"]
    assert "Craft" in [each["name"] for each in fields], fields
    ok(client.reorder_realm_profile_fields(order=[each["id"] for each in fields]))
    ok(client.remove_realm_profile_field(field))
    ok(client.get_server_settings())


def test_methods_of_event_queues(sandbox) -> None:
    client = sandbox.client("owner")
    queue_id = ok(client.register(event_types=["message"]))["queue_id"]
    sent = ok(client.send_message({"type": "stream", "to": "general", "topic": "queues", "content": "x"}))["id"]
    events = ok(client.get_events(queue_id=queue_id, last_event_id=-1))["events"]
    assert [each["message"]["id"] for each in events] == [sent], events
    ok(client.deregister(queue_id))


def test_every_method_is_called(sandbox) -> None:
    with open(__file__) as here, open(os.path.join(os.path.dirname(__file__), "test_client.py")) as there:
        called = set(re.findall(r"(?:client|sender|receiver|owner|member|listener|speaker)\.(\w+)", here.read() + there.read()))
    methods = {name for name in dir(zulip.Client) if not name.startswith("_") and callable(getattr(zulip.Client, name))}
    left = methods - called - set(OUT_OF_SCOPE) - NO_OPERATIONS
    assert left == set(), left
