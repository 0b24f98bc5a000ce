import type { Section } from '../../event-store/projections.ts';
import { RowMatcher } from '../reading/projection/row-matcher.ts';
import { CHUNK_ROWS, type RowBuffer } from '../reading/projection/rows.ts';
import type { CountedPart } from '../reading/projection/share.ts';
import { compileConditions } from '../selection/row-test.ts';
import { isOfEvents, type Selected } from '../selection/selected.ts';

type Condition = { bit: number; matcher: RowMatcher };

export class SectionMask {
  readonly possible: number;
  readonly #always: number;
  readonly #conditions: readonly Condition[];
  readonly #masks: Int32Array;

  constructor(section: Section, part: CountedPart, steps: readonly Selected[]) {
    let always = 0;
    const conditions: Condition[] = [];
    for (const [index, step] of steps.entries()) {
      if (!isOfEvents(step, section.name)) continue;
      const test = step.where ? compileConditions(step.where) : null;
      const matcher = RowMatcher.of(test, section, part);
      if (matcher === true) always |= 1 << index;
      else if (matcher) conditions.push({ bit: 1 << index, matcher });
    }
    this.#always = always;
    this.#conditions = conditions;
    this.possible = conditions.reduce((mask, { bit }) => mask | bit, always);
    this.#masks = new Int32Array(this.possible === 0 ? 0 : CHUNK_ROWS).fill(always);
  }

  of(rows: RowBuffer, count: number): Int32Array {
    const masks = this.#masks;
    if (this.#conditions.length > 0) masks.fill(this.#always, 0, count);
    for (const { bit, matcher } of this.#conditions) {
      const matches = matcher.match(rows, count);
      for (let row = 0; row < count; row += 1) {
        if (matches[row] === 1) masks[row] |= bit;
      }
    }
    return masks;
  }
}
