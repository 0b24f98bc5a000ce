import type { Section } from '../../event-store/read.ts';
import { outside } from '../../shared/assert.ts';
import { jsonTexts } from '../selection/property.ts';
import type { Step } from './model.ts';

type Condition = { codes: Uint8Array; maskOf: Int32Array };

export class SectionMask {
  readonly #always: number;
  readonly #conditions: readonly Condition[];
  readonly possible: number;

  constructor({ properties }: Section, steps: readonly Step[], name: string) {
    let always = 0;
    let possible = 0;
    const conditions: Condition[] = [];
    for (const [index, { event, where }] of steps.entries()) {
      if (event !== name) continue;
      possible |= 1 << index;
      if (!where) always |= 1 << index;
      else {
        const property = properties.get(where.prop);
        if (!property) continue;
        const texts = jsonTexts(where.equals);
        const maskOf = new Int32Array(256);
        for (const [place, value] of property.values.entries()) {
          if (texts.includes(value)) maskOf[place + 1] = 1 << index;
        }
        conditions.push({ codes: property.codes, maskOf });
      }
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
