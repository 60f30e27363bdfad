/** A realm.yaml of `size` channels with about 300 bytes for each, as real files have. */
export function fileOf(size) {
  const channels = Array.from({ length: size }, (_, n) =>
    [
      `  team-${n}:`,
      `    description: '${descriptionOf(n)}'`,
      "    topics_policy: disable_empty_topic",
      "    message_retention_days: realm_default",
      "    permissions:",
      "      can_send_message_group: role:members",
      "      can_resolve_topics_group: role:moderators",
      "      can_move_messages_within_channel_group: role:members",
    ].join("\n"),
  );
  return `version: 1\nchannels:\n${channels.join("\n")}\n`;
}

export function descriptionOf(n) {
  return `Team ${n}: plans, questions and results of the people who work on part ${n} of the product`;
}
