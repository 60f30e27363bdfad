// How fast the sandbox answers in the process: a register, and each operation of OPERATIONS. `npm run bench:sandbox` prints the table of
// bench/README.md, and the most expensive PATCH, POST and DELETE.
//   --runs 7   runs, the fastest counts
import { parseArgs } from "node:util";
import { fastest, judged, table } from "./support/measure.mjs";
import { processorMs, recordedRealm, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = Number(flags.runs);
const CALLS = 20;
/** As many people as one call subscribes, adds or invites. */
const MANY = 1000;
/** Channels, people, and milliseconds of processor that a register and one call that changes something may take. */
const SIZES = [
  { channels: 1000, people: 5000, registerMs: 50, callMs: 1 },
  { channels: 10_000, people: 50_000, registerMs: 1000, callMs: 5 },
];

const PEOPLE = 10_000;
const manyIds = Array.from({ length: MANY }, (_, n) => PEOPLE + n);

/** What is measured: the name of an operation, and its n-th call. Later ones need what earlier ones made. */
const OPERATIONS = [
  ["PATCH /streams/ID, a description", (n) => ["PATCH", `/streams/${10_000 + n}`, { description: `Changed ${n}` }]],
  ["PATCH /users/ID, a role", (n) => ["PATCH", `/users/${PEOPLE + n}`, { role: "300" }]],
  ["PATCH /users/ID, a name", (n) => ["PATCH", `/users/${PEOPLE + n}`, { full_name: `Another ${n}` }]],
  ["DELETE /users/ID", (n) => ["DELETE", `/users/${PEOPLE + 100 + n}`, {}]],
  ["POST /users/ID/reactivate", (n) => ["POST", `/users/${PEOPLE + 100 + n}/reactivate`, {}]],
  ["PATCH /realm, a waiting period", (n) => ["PATCH", "/realm", { waiting_period_threshold: String(n + 1) }]],
  ["DELETE /streams/ID", (n) => ["DELETE", `/streams/${10_500 + n}`, {}]],
  [
    "POST /user_groups/create",
    (n) => ["POST", "/user_groups/create", { name: `crew ${n}`, description: "", members: JSON.stringify([PEOPLE]) }],
  ],
  [
    `POST /users/me/subscriptions, ${MANY} people`,
    (n) => ["POST", "/users/me/subscriptions", { ...channelNamed(n), principals: JSON.stringify(manyIds) }, MANY],
  ],
  [
    `DELETE /users/me/subscriptions, ${MANY} people`,
    (n) => {
      const subscriptions = JSON.stringify([`team-${200 + n}`]);
      return ["DELETE", "/users/me/subscriptions", { subscriptions, principals: JSON.stringify(manyIds) }, MANY];
    },
  ],
  ["POST /bots", (n) => ["POST", "/bots", { full_name: `Bot ${n}`, short_name: `bench${n}`, bot_type: "1" }]],
  [
    "POST /invites, 100 addresses",
    (n) => {
      const invitee_emails = Array.from({ length: 100 }, (_, k) => `new${n}.${k}@example.org`).join(",");
      return ["POST", "/invites", { invitee_emails, stream_ids: "[10000]", invite_expires_in_minutes: "100" }, 100];
    },
  ],
];
const channelNamed = (n) => ({ subscriptions: JSON.stringify([{ name: `team-${200 + n}` }]) });

await withSources('export { createSandbox } from "./src/sandbox/index.ts";', async ({ createSandbox }) => {
  const rows = [];
  for (const { channels, people, registerMs, callMs } of SIZES) {
    const from = largeRealm(createSandbox, channels, people);
    const registers = [];
    const calls = new Map(OPERATIONS.map(([name]) => [name, []]));
    for (let run = 0; run < runs; run += 1) {
      const { call } = caller(createSandbox, from);
      // The first answer also pays for what every process pays once.
      await call("POST", "/register", {});
      registers.push(await processorMs(() => call("POST", "/register", {})));
      for (const [name, sent] of OPERATIONS) {
        // So does the first call of each operation.
        await call(...sent(CALLS).slice(0, 3));
        calls.get(name).push((await processorMs(() => repeated(call, sent))) / CALLS);
      }
    }
    const size = `${channels.toLocaleString("en")} channels, ${people.toLocaleString("en")} people`;
    rows.push([`POST /register, ${size}`, fastest(registers).toFixed(0), judged(fastest(registers), registerMs)]);
    for (const [name, sent] of OPERATIONS) {
      const ms = fastest(calls.get(name));
      // A call for many people is not one of those that the aim is about.
      const isForMany = sent(0)[3] !== undefined;
      rows.push([`${name}; ${size}`, ms.toFixed(2), isForMany ? "" : judged(ms, callMs)]);
    }
    for (const method of ["PATCH", "POST", "DELETE"]) {
      const own = OPERATIONS.filter(([name]) => name.startsWith(method)).map(([name]) => [
        name,
        fastest(calls.get(name)),
      ]);
      const [[name, ms]] = own.sort(([, one], [, other]) => other - one);
      rows.push([`most expensive ${method}; ${size}`, ms.toFixed(2), name]);
    }
  }
  console.log(table(["in the process", "processor, ms", "aim"], rows));
});

async function repeated(call, sent) {
  for (let n = 0; n < CALLS; n += 1) await call(...sent(n).slice(0, 3));
}

/** The demo's organization, grown: everybody is subscribed to ten of the channels. */
function largeRealm(createSandbox, channels, number) {
  const state = JSON.parse(JSON.stringify(createSandbox({ from: recordedRealm() }).state()));
  const person = Object.values(state.users).find((user) => user.role === 400 && !user.is_bot && user.is_active);
  const channel = Object.values(state.channels).find((each) => !each.invite_only);
  const [subscription] = Object.values(state.subscriptions[channel.stream_id]);
  const members = Object.values(state.user_groups).find((group) => group.name === "role:members");
  const people = Array.from({ length: number }, (_, n) => 10_000 + n);
  for (const id of people) {
    const email = `user${id}@example.org`;
    state.users[id] = { ...person, user_id: id, email, delivery_email: email, full_name: `Person ${id}` };
  }
  members.members.push(...people);
  for (let n = 0; n < channels; n += 1) {
    const id = 10_000 + n;
    state.channels[id] = { ...channel, stream_id: id, recipient_id: id, name: `team-${n}` };
    state.subscriptions[id] = {};
    for (let k = 0; k < 50; k += 1)
      state.subscriptions[id][people[(n * 50 + k) % number]] = { ...subscription, active: true };
  }
  for (const space of Object.keys(state.next_id)) state.next_id[space] = 100_000;
  return state;
}

function caller(createSandbox, from) {
  const sandbox = createSandbox({ from });
  const owner = Object.values(from.users).find((user) => user.role === 100 && user.is_active && !user.is_bot);
  const { email, api_key } = sandbox.accounts[owner.delivery_email];
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  return {
    async call(method, path, params) {
      const body = new URLSearchParams(params);
      const request = new Request(`http://localhost/api/v1${path}`, { method, headers: { authorization }, body });
      const response = await sandbox.fetch(request);
      const answer = await response.text();
      if (response.status !== 200) throw new Error(`${method} ${path}: ${answer}`);
      return answer;
    },
  };
}
