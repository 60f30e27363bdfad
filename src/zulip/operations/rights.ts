import type { group, ParamSpec } from "../param.ts";

/** The parameters of permission settings, each from the level at which the server has it. */
export const rights = (
  settings: { readonly [name: string]: { readonly server: { readonly level: number } } },
  spec: typeof group,
  aboutOf = (name: string) => `who holds the right ${name.slice("can_".length, -"_group".length).replaceAll("_", " ")}`,
): { readonly [name: string]: ParamSpec } =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { server }]) => [name, spec(aboutOf(name), { level: server.level })]),
  );
