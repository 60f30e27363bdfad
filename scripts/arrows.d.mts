export interface Arrow {
  readonly folder: string;
  readonly mayImport: readonly string[];
}

export interface Rule {
  readonly name: string;
  readonly severity: "error";
  readonly from: { path: string; pathNot?: string[] };
  readonly to: { pathNot?: string[] };
}

export function arrowsOf(markdown: string): readonly Arrow[];
export function patternOf(folder: string, all?: readonly string[]): string;
export function rulesOf(arrows: readonly Arrow[]): readonly Rule[];
