import { crashMatrix } from "./crash.ts";

await crashMatrix("everything becomes inactive");
