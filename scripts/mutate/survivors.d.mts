/** A note about a mutant that no test notices. */
export interface SurvivorNote {
  /** The line of the source, spaces collapsed. */
  readonly line: string;
  /** `original → replacement`. */
  readonly mutant: string;
  /** Why no test could fail. */
  readonly why: string;
}

export function notesOf(folder: string): Readonly<Record<string, readonly SurvivorNote[]>>;
