import type { JsonObject } from "../../../src/model/json.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";

/** For tests only: sends requests to any sandbox. `as` is an address, or the name of an account in the recording. */
type Ask = (as: string, method: string, path: string, params?: object) => Promise<JsonObject>;

/** Sends requests as an account, given by its name in {@link Sandbox.accounts}. */
export const asking =
  (sandbox: Sandbox): Ask =>
  async (as, method, path, params = {}) => {
    const account = sandbox.accounts[as];
    if (account === undefined) throw new Error(`no account ${as}`);
    return askAs(sandbox, account, method, path, params);
  };

/** Text is sent unchanged, everything else as JSON; a GET sends parameters in the query. */
export async function askAs(
  sandbox: Sandbox,
  account: { readonly email: string; readonly api_key: string },
  method: string,
  path: string,
  params: object,
): Promise<JsonObject> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const headers = { authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}` };
  const request =
    method === "GET"
      ? new Request(`http://localhost/api/v1${path}?${form}`, { headers })
      : new Request(`http://localhost/api/v1${path}`, { method, headers, body: form });
  return JSON.parse(await (await sandbox.fetch(request)).text());
}
