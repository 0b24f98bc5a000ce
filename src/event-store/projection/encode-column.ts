import { at } from '../../shared/assert.ts';
import {
  COLUMN_FORMAT,
  COLUMN_MAGIC,
  type ColumnHeader,
  type ColumnLayout,
  toColumnLayout,
} from './column-format.ts';
import { CHECKSUM_OFFSET, computeChecksum, PREFIX_BYTES } from './format.ts';
import { type KeptSection, keptSection, type PropertyValues } from './property-values.ts';

type Codes = Uint8Array | Uint16Array | Uint32Array;

function codesAt(file: Uint8Array<ArrayBuffer>, offset: number, rows: number, width: 1 | 2 | 4) {
  if (width === 1) return new Uint8Array(file.buffer, offset, rows);
  if (width === 2) return new Uint16Array(file.buffer, offset, rows);
  return new Uint32Array(file.buffer, offset, rows);
}

function writeSection(
  file: Uint8Array<ArrayBuffer>,
  { kind, rows, width, values, found, texts }: KeptSection,
  layout: ColumnLayout,
  placeOf: Int32Array,
): void {
  if (found === null || kind === 'own' || kind === 'none' || kind === 'apart') return;
  const places = found.rows.values();
  if (found.plain) {
    const plain = new Float64Array(file.buffer, layout.values, rows).fill(Number.NaN);
    const numbers = found.plain.values();
    for (let index = 0; index < places.length; index += 1) {
      plain[placeOf[places[index]]] = numbers[index];
    }
    return;
  }
  const codes: Codes = codesAt(file, layout.codes, rows, width);
  const given = found.codes.values();
  for (let index = 0; index < places.length; index += 1) {
    codes[placeOf[places[index]]] = given[index];
  }
  if (kind === 'numbers') {
    new Float64Array(file.buffer, layout.values, values).set([...found.values.keys()].map(Number));
    return;
  }
  const starts = new Uint32Array(file.buffer, layout.values, values + 1);
  for (let value = 0; value < values; value += 1) {
    file.set(texts[value], layout.text + starts[value]);
    starts[value + 1] = starts[value] + texts[value].length;
  }
}

export type ColumnPlaces = {
  projection: string;
  rows: Int32Array;
  placeOf: Int32Array;
  own: readonly ReadonlySet<string>[];
};

export function encodeColumn(
  asked: PropertyValues,
  { projection, rows, placeOf, own }: ColumnPlaces,
): Uint8Array<ArrayBuffer> {
  const kept = own.map((names, section) =>
    keptSection(asked.of(section), rows[section], names.has(asked.name)),
  );
  const header: ColumnHeader = {
    prop: asked.name,
    projection,
    sections: kept.map(({ found: _, texts: __, ...section }) => section),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const layout = toColumnLayout(header, text.length);
  const file = new Uint8Array(layout.end);
  file.set(text, PREFIX_BYTES);
  for (const [index, section] of kept.entries()) {
    writeSection(file, section, at(layout.sections, index), placeOf);
  }
  const prefix = new DataView(file.buffer);
  prefix.setUint32(0, COLUMN_MAGIC, true);
  prefix.setUint32(4, COLUMN_FORMAT, true);
  prefix.setUint32(8, text.length, true);
  prefix.setBigUint64(CHECKSUM_OFFSET, computeChecksum(file), true);
  return file;
}
