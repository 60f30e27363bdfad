export { default } from "../config.mjs";
