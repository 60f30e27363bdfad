export default class Tally {
  lastEndMs: number;
  look(): void;
}
