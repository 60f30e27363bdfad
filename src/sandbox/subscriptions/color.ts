import { ApiError } from "../errors.ts";

/** @throws ApiError naming the object at `path` that has it */
export function checkColor(color: string, name: string, path: string): void {
  if (!/^#[a-fA-F0-9]{3,6}$/.test(color))
    throw new ApiError(`Invalid ${path}: Value error, ${name} is not a valid hex color code`);
}
