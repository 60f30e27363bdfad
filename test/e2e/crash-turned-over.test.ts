import { crashMatrix } from "./crash.ts";

await crashMatrix("the organization is turned over");
