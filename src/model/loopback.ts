/** Whether requests to this host never leave the machine: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  // A subdomain of it, or a dot at its end, is a name like any other to some resolvers: they ask the network.
  const host = hostname.toLowerCase();
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether the host of a URL is this machine. False for a text that is not a URL. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
