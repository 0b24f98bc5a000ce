import type { ColumnSectionHeader } from './column-format.ts';
import { isScalar, type Props, type Scalar } from './properties.ts';
import { Words } from './words.ts';

const NUMBER_BYTES = 8;
/** As many have codes, so that breakdowns can list them. */
const FEW_NUMBERS = 4_096;
/** Numbers that differ more are kept plain. */
const MAX_NUMBERS = 65_535;
/** Sections with more values are read from the file. */
const MAX_VALUES = 1_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

const isKept = (value: Scalar): boolean => typeof value !== 'string' || value.isWellFormed();

class SectionValues {
  readonly rows = new Words((length) => new Int32Array(length), 16);
  readonly codes = new Words((length) => new Int32Array(length), 16);
  /** Instead of codes. */
  plain: Words<Float64Array<ArrayBuffer>> | null = null;
  readonly values = new Map<Scalar, number>();
  isOfNumbers = true;
  isApart = false;
  #textBytes = 0;

  add(row: number, value: Scalar): void {
    if (this.isApart) return;
    if (typeof value !== 'number') this.isOfNumbers = false;
    if (this.plain) {
      if (typeof value === 'number') {
        this.rows.push(row);
        this.plain.push(value);
      } else this.#giveUp();
      return;
    }
    const code = this.values.get(value) ?? this.#code(value);
    if (code === null) return;
    this.rows.push(row);
    this.codes.push(code);
  }

  #code(value: Scalar): number | null {
    if (typeof value === 'string') this.#textBytes += 3 * value.length;
    const isTooMuch = this.values.size === MAX_VALUES || this.#textBytes > MAX_TEXT_BYTES;
    if (isTooMuch || !isKept(value)) {
      this.#giveUp();
      return null;
    }
    const code = this.values.size + 1;
    this.values.set(value, code);
    return code;
  }

  /** Codes of many numbers would be larger than a number for each of so many rows. */
  settle(rows: number): void {
    const { size } = this.values;
    if (!this.isOfNumbers || this.isApart || size <= FEW_NUMBERS) return;
    if (size <= MAX_NUMBERS && rows * (NUMBER_BYTES - 2) > size * NUMBER_BYTES) return;
    const numbers = Float64Array.from(this.values.keys(), Number);
    const plain = new Words((length) => new Float64Array(length), this.rows.length + 1);
    for (const code of this.codes.values()) plain.push(numbers[code - 1]);
    this.plain = plain;
    this.values.clear();
  }

  #giveUp(): void {
    this.isApart = true;
    this.values.clear();
  }
}

export class PropertyValues {
  readonly name: string;
  readonly #member: string;
  readonly #sections = new Map<number, SectionValues>();

  constructor(name: string) {
    this.name = name;
    this.#member = `${JSON.stringify(name)}:`;
  }

  add(section: number, row: number, props: Props): void {
    const parsed = props.text.includes(this.#member) ? props.parsed : null;
    if (parsed === null) return;
    const value: unknown = Object.getOwnPropertyDescriptor(parsed, this.name)?.value;
    if (!isScalar(value)) return;
    const known = this.#sections.get(section) ?? new SectionValues();
    this.#sections.set(section, known);
    known.add(row, value);
  }

  of(section: number): SectionValues | null {
    return this.#sections.get(section) ?? null;
  }
}

export type KeptSection = ColumnSectionHeader & {
  found: SectionValues | null;
  texts: Uint8Array[];
};

const toWidth = (values: number): 1 | 2 | 4 => (values < 256 ? 1 : values < 65_536 ? 2 : 4);

export function keptSection(
  found: SectionValues | null,
  rows: number,
  isOwn: boolean,
): KeptSection {
  const base = { rows, width: 1 as const, values: 0, textBytes: 0, found, texts: [] };
  if (isOwn) return { ...base, kind: 'own' };
  if (found === null) return { ...base, kind: 'none' };
  found.settle(rows);
  if (found.isApart) return { ...base, kind: 'apart' };
  if (found.plain) return { ...base, kind: 'plain' };
  const values = found.values.size;
  const coded = { ...base, width: toWidth(values), values };
  if (found.isOfNumbers) return { ...coded, kind: 'numbers' };
  const encoder = new TextEncoder();
  const texts = Array.from(found.values.keys(), (value) => encoder.encode(JSON.stringify(value)));
  const textBytes = texts.reduce((sum, { length }) => sum + length, 0);
  return { ...coded, kind: 'texts', texts, textBytes };
}
