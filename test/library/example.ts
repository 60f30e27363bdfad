import { readFile } from "node:fs/promises";
import {
  accessMatrix,
  applyRealm,
  createClient,
  createSandbox,
  exportRealm,
  inProcess,
  kinds,
  PLAIN,
  planRealm,
  processClock,
  renderDiagnostics,
  renderPlan,
  renderPlanHtml,
  Secret,
  type Snapshot,
  VERSION,
} from "realmctl";

/** Plans and applies a file to a copy of an organization in memory, and exports the result. */
export async function rehearse(file: string, snapshot: Snapshot, directory: string): Promise<string> {
  // A sandbox that starts as a copy of the organization. For a real server: `transport: openNetwork().send`, and no `rateRules`.
  const sandbox = createSandbox({ from: snapshot });
  const account = sandbox.accounts[snapshot.account.email];
  if (account === undefined) throw new RangeError("the account that read the snapshot is not in it");
  const { reader, writer } = createClient({
    site: snapshot.realm.url,
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => sandbox.fetch(request)),
    clock: processClock,
    version: VERSION,
    rateRules: [],
  });

  const planned = await planRealm({ file, readFile: (path) => readFile(path, "utf8"), reader });
  if (!planned.ok) {
    const sources = new Map([[file, await readFile(file, "utf8")]]);
    return renderDiagnostics({ diagnostics: planned.diagnostics, sources, style: PLAIN });
  }
  const { plan, planAgain } = planned.value;
  console.log(renderPlan(plan, { style: PLAIN }));
  const page = renderPlanHtml(plan, accessMatrix(plan, planned.value.snapshot), { applyWith: "realmctl apply" });
  console.log(`${page.length} characters of HTML`);

  const result = await applyRealm(plan, { reader, writer, directory, now: Date.now, planAgain, complete: planAgain });
  console.log(`${result.outcome}: ${result.calls.length} calls`);

  const exported = await exportRealm({ snapshot: await reader.snapshot({ invites: false, subscribers: true }), kinds });
  return [...exported.files.values()].join("");
}
