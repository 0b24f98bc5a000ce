import type { Section } from '../../event-store/read.ts';
import { outside } from '../../shared/assert.ts';
import { valueMatcher } from '../selection/condition-match.ts';
import { conditionsOf, propertyOf } from '../selection/conditions.ts';
import type { Selected } from '../selection/selected.ts';

type Condition = { codes: Uint8Array; maskOf: Int32Array };

/** Of a step that projections can tell: its conditions are on one property. */
export function propertyOfStep({ where }: Selected): string | null {
  const [condition] = where ? conditionsOf(where) : [];
  return condition ? propertyOf(condition.field) : null;
}

export class SectionMask {
  readonly #always: number;
  readonly #conditions: readonly Condition[];
  readonly possible: number;

  constructor({ properties }: Section, steps: readonly Selected[], name: string) {
    let always = 0;
    let possible = 0;
    const conditions: Condition[] = [];
    for (const [index, step] of steps.entries()) {
      if (!step.events?.includes(name)) continue;
      const bit = 1 << index;
      const prop = propertyOfStep(step);
      const holds = step.where ? valueMatcher(step.where) : () => true;
      const property = prop === null ? undefined : properties.get(prop);
      possible |= bit;
      if (!property) {
        if (holds(null)) always |= bit;
        continue;
      }
      const maskOf = new Int32Array(256);
      if (holds(null)) maskOf[0] = bit;
      for (const [place, value] of property.values.entries()) {
        if (holds(JSON.parse(value))) maskOf[place + 1] = bit;
      }
      conditions.push({ codes: property.codes, maskOf });
    }
    this.#always = always;
    this.#conditions = conditions;
    this.possible = possible;
  }

  of(row: number): number {
    let mask = this.#always;
    for (const { codes, maskOf } of this.#conditions) {
      mask |= maskOf[codes[row] ?? outside()] ?? outside();
    }
    return mask;
  }
}
