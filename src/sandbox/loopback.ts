/** @param name the host name as in a URL: an IPv6 address is in brackets */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}
