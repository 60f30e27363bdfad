import { crashMatrix } from "./crash.ts";

await crashMatrix("the organization is set up");
