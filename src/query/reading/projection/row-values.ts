import type { Projection, Section } from '../../../event-store/projections.ts';
import { must, outside } from '../../../shared/assert.ts';
import { isSenderField, type SenderField } from '../../../shared/event-fields.ts';
import { type Dimension, type Trait, traitColumn, valueText } from '../../selection/dimension.ts';
import { profileSender, senderValue } from './row-matcher.ts';
import { listValues, type RowProperty, rowProperty } from './row-property.ts';
import type { RowBuffer } from './rows.ts';
import type { CountedPart } from './share.ts';

type Table = { numbers: Int32Array; codes: RowProperty['codes'] };

/** Alike in every thread that reads the same sections in the same order. */
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

  of(section: Section, part: CountedPart): RowValues {
    const by = this.#by;
    if (by.kind === 'first') return this.#ofFirst(by, part);
    return new RowValues(this.#tableOf(section, part.projection), part.projection);
  }

  #ofFirst(by: Trait, { firsts }: CountedPart): RowValues {
    const { codes, texts } = must(firsts?.get(traitColumn(by)), 'first events are found before');
    const numbers = Int32Array.from(texts, (text) => this.#number(text));
    return new RowValues({ numbers, codes: null }, { profileOf: codes });
  }

  #tableOf(section: Section, projection: Projection): Table {
    const by = this.#by;
    if (by.kind === 'name') {
      const number = this.#number(section.name);
      return { numbers: new Int32Array(projection.profiles.length).fill(number), codes: null };
    }
    if (by.kind !== 'prop') {
      const kind = isSenderField(by.kind)
        ? by.kind
        : outside('Projections are not asked for what they do not hold.');
      const numbers = this.#bySender.get(projection) ?? this.#numberSenders(projection, kind);
      return { numbers, codes: null };
    }
    const property = rowProperty(section, by.prop);
    if (property === null) {
      const number = this.#number(valueText(by, null));
      return { numbers: new Int32Array(projection.profiles.length).fill(number), codes: null };
    }
    const values = listValues(property);
    const numbers = Int32Array.from(values, (value) => this.#number(valueText(by, value)));
    return { numbers, codes: property.codes };
  }

  #numberSenders(projection: Projection, kind: SenderField): Int32Array {
    const numbers = Int32Array.from(projection.profiles, (_, profile) =>
      this.#number(valueText(this.#by, senderValue(profileSender(projection, profile), kind))),
    );
    this.#bySender.set(projection, numbers);
    return numbers;
  }
}

type Codes = NonNullable<RowProperty['codes']>;

const counted = new WeakMap<Codes, Float64Array>();

function rowsOfCodes(codes: Codes, length: number): Float64Array {
  const known = counted.get(codes);
  if (known) return known;
  const rows = new Float64Array(length);
  for (let row = 0; row < codes.length; row += 1) rows[codes[row]] += 1;
  if (codes instanceof Uint8Array) counted.set(codes, rows);
  return rows;
}

export class RowValues {
  readonly #table: Table;
  readonly #profileOf: Projection['profileOf'];

  constructor(table: Table, { profileOf }: Pick<Projection, 'profileOf'>) {
    this.#table = table;
    this.#profileOf = profileOf;
  }

  get isCountable(): boolean {
    const { numbers, codes } = this.#table;
    return codes !== null || numbers.every((number) => number === numbers[0]);
  }

  get ofProfiles(): Int32Array {
    return this.#table.numbers;
  }

  countAll(rows: number, counts: Float64Array): void {
    const { numbers, codes } = this.#table;
    if (codes === null) {
      counts[numbers[0]] += rows;
      return;
    }
    const ofCodes = rowsOfCodes(codes, numbers.length);
    for (let code = 0; code < ofCodes.length; code += 1) counts[numbers[code]] += ofCodes[code];
  }

  read({ entries, first }: RowBuffer, count: number, into: Int32Array): void {
    const { numbers, codes } = this.#table;
    if (codes) {
      for (let row = 0; row < count; row += 1) into[row] = numbers[codes[first + row]];
      return;
    }
    const profileOf = this.#profileOf;
    for (let row = 0; row < count; row += 1) into[row] = numbers[profileOf[entries[row]]];
  }

  renumbered(others: Int32Array): RowValues {
    const { numbers, codes } = this.#table;
    const table = { numbers: numbers.map((number) => others[number]), codes };
    return new RowValues(table, { profileOf: this.#profileOf });
  }
}
