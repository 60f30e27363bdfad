/** A stretch of one file, counted from 1 (columns in UTF-16 units); the end is exclusive. */
export type Span = Readonly<{ file: string; line: number; column: number; endLine: number; endColumn: number }>;
