/**
 * White space as the server sees it, which is not quite as JavaScript does: the byte order mark is none, the next-line
 * control (U+0085) is, and to the server's own code (not to its parser of parameters) the four separators U+001C to U+001F
 * are too.
 */
const SPACE = "\\t-\\r\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SEPARATORS = "\\u001c-\\u001f";

const START = new RegExp(`^[${SPACE}${SEPARATORS}]+`);
const END = new RegExp(`[${SPACE}${SEPARATORS}]+$`);
const PARAMETER_START = new RegExp(`^[${SPACE}]+`);
const PARAMETER_END = new RegExp(`[${SPACE}]+$`);

/** Without white space around it, as the server's own code drops it. */
export const stripped = (text: string): string => strippedEnd(text.replace(START, ""));
export const strippedEnd = (text: string): string => text.replace(END, "");
/** Without white space around it, as the server drops it while it reads a parameter. */
export const strippedParameter = (text: string): string => text.replace(PARAMETER_START, "").replace(PARAMETER_END, "");
