import type { Projection, Section } from '../../../event-store/projections.ts';
import { outside } from '../../../shared/assert.ts';
import type { Dimension } from '../../selection/dimension.ts';
import { valueText } from '../../selection/dimension.ts';
import { isSenderField, type SenderField, profileSender, senderValue } from './row-matcher.ts';
import { listValues, type RowProperty, rowProperty } from './row-property.ts';
import type { RowBuffer } from './rows.ts';

/** By the profile of a row's entry, or by its code of a property. */
type Table = { numbers: Int32Array; codes: RowProperty['codes'] };

/** Numbers of values, alike in every thread that reads the same sections in the same order. */
export class DimensionValues {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #by: Dimension;
  readonly #bySender = new Map<Projection, Int32Array>();

  constructor(by: Dimension) {
    this.#by = by;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const made = this.texts.push(text) - 1;
    this.#numbers.set(text, made);
    return made;
  }

  of(section: Section, projection: Projection): RowValues {
    return new RowValues(this.#tableOf(section, projection), projection);
  }

  #tableOf(section: Section, projection: Projection): Table {
    const by = this.#by;
    if (by.kind === 'name') {
      const number = this.#number(section.name);
      return { numbers: Int32Array.from(projection.profiles, () => number), codes: null };
    }
    if (by.kind !== 'prop') {
      const kind = isSenderField(by.kind)
        ? by.kind
        : outside('Projections are not asked for what they do not hold.');
      const numbers = this.#bySender.get(projection) ?? this.#numberSenders(projection, kind);
      return { numbers, codes: null };
    }
    const property = rowProperty(section, by.prop);
    const values = property ? listValues(property) : projection.profiles.map(() => null);
    const numbers = Int32Array.from(values, (value) => this.#number(valueText(by, value)));
    return { numbers, codes: property?.codes ?? null };
  }

  #numberSenders(projection: Projection, kind: SenderField): Int32Array {
    const numbers = Int32Array.from(projection.profiles, (_, profile) =>
      this.#number(valueText(this.#by, senderValue(profileSender(projection, profile), kind))),
    );
    this.#bySender.set(projection, numbers);
    return numbers;
  }
}

export class RowValues {
  readonly #table: Table;
  readonly #profileOf: Projection['profileOf'];

  constructor(table: Table, { profileOf }: Projection) {
    this.#table = table;
    this.#profileOf = profileOf;
  }

  at({ entries, first }: RowBuffer, row: number): number {
    const { numbers, codes } = this.#table;
    return numbers[codes ? codes[first + row] : this.#profileOf[entries[row]]];
  }
}
