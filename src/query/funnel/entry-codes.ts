import type { Section } from '../../event-store/projections.ts';
import { RowMatcher } from '../reading/projection/row-matcher.ts';
import { DimensionValues, type RowValues } from '../reading/projection/row-values.ts';
import type { RowBuffer } from '../reading/projection/rows.ts';
import type { CountedPart } from '../reading/projection/share.ts';
import { type RowTest, compileRowTest } from '../selection/row-test.ts';
import type { FunnelPlan } from './plan.ts';

export const LEFT_OUT = 0;

export class EntryCodes {
  readonly #test: RowTest | null;
  readonly #values: DimensionValues | null;

  private constructor({ entry, breakdown }: FunnelPlan) {
    this.#test = compileRowTest(entry);
    this.#values =
      breakdown === null || breakdown.kind === 'arm' ? null : new DimensionValues(breakdown);
  }

  /** Null where every entry counts alike. */
  static of(plan: FunnelPlan): EntryCodes | null {
    return plan.isFiltered || plan.breakdown !== null ? new EntryCodes(plan) : null;
  }

  get texts(): readonly string[] | null {
    return this.#values?.texts ?? null;
  }

  ofSection(section: Section, part: CountedPart): SectionCodes {
    return {
      matcher: RowMatcher.of(this.#test, section, part),
      values: this.#values?.of(section, part) ?? null,
    };
  }
}

export type SectionCodes = { matcher: RowMatcher | boolean; values: RowValues | null };

export function readCodes(
  { matcher, values }: SectionCodes,
  rows: RowBuffer,
  count: number,
  codes: Int32Array,
): void {
  const kept = typeof matcher === 'boolean' ? null : matcher.match(rows, count);
  if (matcher === false) {
    codes.fill(LEFT_OUT, 0, count);
    return;
  }
  if (values) values.read(rows, count, codes);
  else codes.fill(0, 0, count);
  for (let row = 0; row < count; row += 1) {
    codes[row] = kept !== null && kept[row] === 0 ? LEFT_OUT : codes[row] + 1;
  }
}
