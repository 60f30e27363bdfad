// How fast the sandbox answers in the process: a register of 1,000 channels and 5,000 people, and 1,000 calls that change
// something. `npm run bench:sandbox` prints the table of bench/README.md.
//   --runs 7   runs, the fastest counts
import { parseArgs } from "node:util";
import { fastest, judged, table } from "./support/measure.mjs";
import { processorMs, recordedRealm, withSources } from "./support/sources.mjs";

const { values: flags } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = Number(flags.runs);
const CALLS = 200;
/** Channels, people, and milliseconds of processor that a register and one call that changes something may take. */
const SIZES = [
  { channels: 1000, people: 5000, registerMs: 50, callMs: 1 },
  { channels: 10_000, people: 50_000, registerMs: 1000, callMs: 5 },
];

await withSources('export { createSandbox } from "./src/sandbox/index.ts";', async ({ createSandbox }) => {
  const rows = [];
  for (const { channels, people, registerMs, callMs } of SIZES) {
    const from = largeRealm(createSandbox, channels, people);
    const registers = [];
    const calls = [];
    for (let run = 0; run < runs; run += 1) {
      const { call } = caller(createSandbox, from);
      // The first answer also pays for what every process pays once.
      await call("POST", "/register", {});
      registers.push(await processorMs(() => call("POST", "/register", {})));
      calls.push((await processorMs(() => changes(call, channels))) / CALLS);
    }
    const size = `${channels.toLocaleString("en")} channels, ${people.toLocaleString("en")} people`;
    rows.push([`register, ${size}`, fastest(registers).toFixed(0), judged(fastest(registers), registerMs)]);
    rows.push([`a change of a channel, ${size}`, fastest(calls).toFixed(2), judged(fastest(calls), callMs)]);
  }
  console.log(table(["in the process", "processor, ms", "aim"], rows));
});

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

async function changes(call, channels) {
  for (let n = 0; n < CALLS; n += 1) {
    await call("PATCH", `/streams/${10_000 + (n % channels)}`, { description: `Changed ${n}` });
  }
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
