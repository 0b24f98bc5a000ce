import { at, outside } from '../../shared/assert.ts';
import { Numbers } from '../reading/projection/numbers.ts';
import { type FunnelAnswer, type GroupTally, MAX_FUNNEL_STEPS } from './model.ts';
import { largest } from './shown-values.ts';
import { Tally } from './tally.ts';

const DEPTHS = MAX_FUNNEL_STEPS + 1;
/** Rarer values count as the rest from the start. */
export const MAX_COUNTED_VALUES = 50_000;

export class Outcomes {
  /** For each person `code * DEPTHS + depth`, then a time for each step. */
  readonly #records = new Numbers(4_096);

  add(code: number, depth: number, reachedUs: Float64Array): void {
    this.#records.push(code * DEPTHS + depth);
    for (let step = 0; step < depth; step += 1) this.#records.push(reachedUs[step] ?? outside());
  }

  get lists(): Numbers[] {
    return [this.#records];
  }

  sizes(): Map<number, number> {
    const sizes = new Map<number, number>();
    this.#forEach((code) => sizes.set(code, (sizes.get(code) ?? 0) + 1));
    return sizes;
  }

  tally(codes: readonly number[], stepCount: number): { chosen: GroupTally[]; rest: GroupTally } {
    const rest = new Tally(stepCount);
    const tallies = new Map(codes.map((code) => [code, new Tally(stepCount)]));
    const records = this.#records.values();
    this.#forEach((code, depth, offset) =>
      (tallies.get(code) ?? rest).add(depth, records.subarray(offset, offset + depth)),
    );
    return { chosen: [...tallies.values()].map((tally) => tally.figures()), rest: rest.figures() };
  }

  #forEach(use: (code: number, depth: number, offset: number) => void): void {
    const records = this.#records.values();
    for (let offset = 0; offset < records.length; ) {
      const head = records[offset] ?? outside();
      const depth = head % DEPTHS;
      use(Math.floor(head / DEPTHS), depth, offset + 1);
      offset += 1 + depth;
    }
  }
}

export function toBreakdown(
  outcomes: Outcomes,
  values: ReadonlyMap<number, string>,
  stepCount: number,
): NonNullable<FunnelAnswer['breakdown']> {
  const shown = largest(outcomes.sizes(), values);
  const { chosen, rest } = outcomes.tally(
    shown.map(({ code }) => code),
    stepCount,
  );
  const groups: { value: string | null; tally: GroupTally }[] = chosen.map((tally, index) => ({
    value: at(shown, index).value,
    tally,
  }));
  if (at(rest.people, 0) > 0) groups.push({ value: null, tally: rest });
  return groups;
}
