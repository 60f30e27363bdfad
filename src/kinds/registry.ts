import type { ResourceKind } from "../model/kind.ts";
import { channel } from "./channel/kind.ts";
import { domain } from "./domain/kind.ts";
import { linkifier } from "./linkifier/kind.ts";
import { navigationView } from "./navigation-view/kind.ts";

/** Every kind of object realmctl knows. File format, JSON Schema, reference docs and planning read this list. */
export const kinds: readonly ResourceKind[] = [channel, linkifier, domain, navigationView];
