/** @param text what `realmctl demo` prints */
export function demoSvg(text: string): string;
