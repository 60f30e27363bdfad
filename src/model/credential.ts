/** What looks like a credential: it must not become a value of an organization, where its people read it. */

/** A mix as a server makes API keys: digests have no capitals, and words no digits. */
export const BARE_KEY =
  /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{0,31}[a-z])(?=[A-Za-z0-9]{0,31}[A-Z])(?=[A-Za-z0-9]{0,31}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/g;
