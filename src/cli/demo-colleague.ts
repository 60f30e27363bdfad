/** Somebody who does not use realmctl: one request over HTTP, as the settings page sends it. */
export interface DemoAccount {
  readonly email: string;
  readonly key: string;
}

/** @returns "success", or the server's message */
export async function requestAs(
  site: string,
  { email, key }: DemoAccount,
  path: string,
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    body.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const response = await fetch(`${site}/api/v1/${path}`, {
    method: "PATCH",
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` },
    body,
  });
  const text = await response.text();
  return response.ok ? "success" : `${response.status} ${text}`;
}
