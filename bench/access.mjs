// What questions of access cost beside reading: processor time in an organization of 50,000 people and 1,000 channels (half of them private, with
// 1,000 subscribers each) and 100 nested groups of 2,500 members. The reading is in memory, and making it is not counted.
//   --people 50000   size      --runs 3   runs, the first and the fastest are shown      --profile   one question only: --only NAME
import { parseArgs } from "node:util";
import { fastest, judged, table } from "./support/measure.mjs";
import { recordedRealm, runsOf, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({
  options: {
    people: { type: "string", default: "50000" },
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "" },
  },
});
const AIM_MS = 2000;
const ENTRY = `
export { snapshotOf } from "./src/rehearsal/rehearse.ts";
export { createSandbox } from "./src/sandbox/index.ts";
export { answerAccess, answerAccessChanges } from "./src/workflow/access-answers.ts";
export { planRealm } from "./src/workflow/workflow.ts";
`;

await withSources(ENTRY, async (code) => {
  const snapshot = await organization(code, Number(flags.people));
  const rows = [];
  for (const [name, question] of questions(code, snapshot)) {
    if (!name.includes(flags.only)) continue;
    const times = await runsOf(Number(flags.runs), await question());
    rows.push([name, times[0].toFixed(0), fastest(times).toFixed(0), judged(times[0], AIM_MS)]);
  }
  console.log(table(["question", "first, ms", `fastest of ${flags.runs}, ms`, "aim"], rows));
});

/** Each makes what is not counted, and gives back what is. */
function questions(code, snapshot) {
  const asked = (question, format) => async () => async () => {
    const answer = await code.answerAccess({ question, format }, { from: "snapshot", snapshot });
    if (!answer.ok) throw new Error(JSON.stringify(answer.diagnostics[0]));
  };
  const planned = (yaml) => async () => {
    const made = await code.planRealm({
      file: "realm.yaml",
      readFile: async () => yaml,
      reader: { snapshot: async () => snapshot },
    });
    if (!made.ok) throw new Error(JSON.stringify(made.diagnostics[0]));
    return () => code.answerAccessChanges({}, { from: "plan", file: "realm.yaml", plan: made.value.plan, snapshot });
  };
  const half = `{groups: [group-1, group-2, group-3, group-4, group-5, group-6, group-7, group-8, group-9]}`;
  const moved = `version: 1\nuser_groups:\n  group-0: {subgroups: [${Array.from({ length: 20 }, (_, n) => `group-${n + 50}`).join(", ")}]}\n`;
  const opened = `version: 1\nchannels:\n${Array.from({ length: 1000 }, (_, n) => `  team-${n}: {permissions: {can_send_message_group: ${half}}}\n`).join("")}`;
  const formats = ["text", "csv", "html", "json"];
  return Object.entries({
    ...Object.fromEntries(formats.map((format) => [`a channel, ${format}`, asked("#team-1", format)])),
    ...Object.fromEntries(formats.map((format) => [`a person, ${format}`, asked("person-0@example.org", format)])),
    "a plan that moves 25,000, text": planned(moved),
    "a plan that opens 1,000 channels, text": planned(opened),
  });
}

async function organization({ createSandbox, snapshotOf }, number) {
  const sandbox = createSandbox({ from: recordedRealm() });
  const start = await snapshotOf(sandbox, Date.UTC(2026, 10, 20));
  const model = start.users.find(({ role, is_bot, is_active }) => role === 400 && !is_bot && is_active);
  const id = (n) => 1_000_001 + (n % number);
  const users = Array.from({ length: number }, (_, n) => ({
    ...model,
    user_id: id(n),
    email: `person-${n}@example.org`,
    delivery_email: `person-${n}@example.org`,
    full_name: `Person ${n}`,
  }));
  const groupModel = start.user_groups.find(({ is_system_group }) => !is_system_group);
  const groupId = (n) => 50_000 + n;
  const groups = Array.from({ length: 100 }, (_, n) => ({
    ...groupModel,
    id: groupId(n),
    name: `group-${n}`,
    deactivated: false,
    members: Array.from({ length: 2500 }, (_, m) => id(n * 1250 + m)),
    direct_subgroup_ids: n > 0 && n % 5 === 0 ? [groupId(n - 1)] : [],
  }));
  const channelModel = start.channels.find(({ invite_only, is_archived }) => !invite_only && !is_archived);
  const channels = Array.from({ length: 1000 }, (_, n) => ({
    ...channelModel,
    stream_id: 10_000 + n,
    name: `team-${n}`,
    invite_only: n % 2 === 1,
    can_send_message_group: n % 3 === 0 ? groupId(0) : channelModel.can_send_message_group,
    can_subscribe_group: n % 7 === 0 ? groupId(0) : channelModel.can_subscribe_group,
  }));
  const subscribed = Object.fromEntries(
    channels.map(({ stream_id }, n) => [String(stream_id), Array.from({ length: 1000 }, (_, m) => id(n * 37 + m))]),
  );
  const roles = start.user_groups.map((group) =>
    group.name === "role:members" || group.name === "role:fullmembers"
      ? { ...group, members: [...group.members, ...users.map(({ user_id }) => user_id)] }
      : group,
  );
  return {
    ...start,
    users: [...start.users, ...users],
    user_groups: [...roles, ...groups],
    channels: [...start.channels, ...channels],
    subscribers: { ...start.subscribers, ...subscribed },
  };
}
