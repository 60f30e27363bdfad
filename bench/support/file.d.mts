export function fileOf(size: number): string;
export function descriptionOf(n: number): string;
