import { crashMatrix } from "./crash.ts";

await crashMatrix("settings of Zulip 12 change");
