import { Tally, type TallyFigures } from './tally.ts';

/** How far each person came, by the value that their path started with, until all are known. */
export class Outcomes {
  #codes = new Int32Array(1_024);
  #depths = new Uint8Array(1_024);
  #times = new Float64Array(4_096);
  #count = 0;
  #timeCount = 0;

  add(code: number, depth: number, reachedUs: Float64Array): void {
    if (this.#count === this.#codes.length) this.#growPeople();
    if (this.#timeCount + depth > this.#times.length) this.#growTimes();
    this.#codes[this.#count] = code;
    this.#depths[this.#count] = depth;
    this.#times.set(reachedUs.subarray(0, depth), this.#timeCount);
    this.#count += 1;
    this.#timeCount += depth;
  }

  /** People by value. */
  sizes(): Map<number, number> {
    const sizes = new Map<number, number>();
    for (let person = 0; person < this.#count; person += 1) {
      const code = this.#codes[person] ?? 0;
      sizes.set(code, (sizes.get(code) ?? 0) + 1);
    }
    return sizes;
  }

  /** One tally for each of `codes`, and one for everyone else. */
  tally(
    codes: readonly number[],
    stepCount: number,
  ): { chosen: TallyFigures[]; rest: TallyFigures } {
    const rest = new Tally(stepCount);
    const tallies = new Map(codes.map((code) => [code, new Tally(stepCount)]));
    let offset = 0;
    for (let person = 0; person < this.#count; person += 1) {
      const depth = this.#depths[person] ?? 0;
      const tally = tallies.get(this.#codes[person] ?? 0) ?? rest;
      tally.add(depth, this.#times.subarray(offset, offset + depth));
      offset += depth;
    }
    return { chosen: [...tallies.values()].map((one) => one.figures()), rest: rest.figures() };
  }

  #growPeople(): void {
    const codes = new Int32Array(this.#codes.length * 2);
    const depths = new Uint8Array(this.#depths.length * 2);
    codes.set(this.#codes);
    depths.set(this.#depths);
    this.#codes = codes;
    this.#depths = depths;
  }

  #growTimes(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
  }
}
