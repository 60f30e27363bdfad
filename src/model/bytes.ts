/** How many bytes a text has in a file. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);
