import { crashMatrix } from "./crash.ts";

await crashMatrix("everything is put away");
