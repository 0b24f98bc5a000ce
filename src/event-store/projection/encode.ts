import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import type { ColumnPlaces } from './encode-column.ts';
import type { People } from './entries.ts';
import {
  CHECKSUM_OFFSET,
  computeChecksum,
  copyKey,
  KEY_WORDS,
  type Layout,
  toLayout,
  MAGIC,
  PREFIX_BYTES,
  PROJECTION_FORMAT,
  type ProjectionHeader,
  stepLength,
} from './format.ts';
import { orderByFirstWord } from './order.ts';
import { checksumText } from './projection.ts';
import type { PropertyColumn, SectionProperties } from './properties.ts';

const WORD = 2 ** 32;

/** `isCounted`: sent by production clients. */
export type BuiltSection = {
  name: string;
  isDevelopment: boolean;
  isCounted: boolean;
  properties: SectionProperties;
};

export type Rows = People & {
  sectionOf: Uint16Array;
  times: Float64Array;
  sections: readonly BuiltSection[];
  owner: AppScope | null;
};

function rowsByRank(entryOf: Int32Array, rankOf: Int32Array, entries: number): Int32Array {
  const next = new Int32Array(entries + 1);
  for (const entry of entryOf) {
    const rank = rankOf[entry];
    next[rank + 1] += 1;
  }
  for (let rank = 0; rank < entries; rank += 1) {
    next[rank + 1] += next[rank];
  }
  const rows = new Int32Array(entryOf.length);
  for (let row = 0; row < entryOf.length; row += 1) {
    const rank = rankOf[entryOf[row]];
    const place = next[rank];
    rows[place] = row;
    next[rank] = place + 1;
  }
  return rows;
}

function measure(rows: Int32Array, { entryOf, sectionOf, sections }: Rows, rankOf: Int32Array) {
  const counts = new Int32Array(sections.length);
  const bytes = new Float64Array(sections.length);
  const last = new Int32Array(sections.length);
  for (const row of rows) {
    const section = sectionOf[row];
    const rank = rankOf[entryOf[row]];
    counts[section] += 1;
    bytes[section] += stepLength(rank - last[section]);
    last[section] = rank;
  }
  return { counts, bytes };
}

function timeSpan(times: Float64Array): { baseUs: number; spanUs: number } {
  let first = Infinity;
  let last = -Infinity;
  for (const time of times) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return times.length === 0 ? { baseUs: 0, spanUs: 0 } : { baseUs: first, spanUs: last - first };
}

export type Encoded = { bytes: Uint8Array<ArrayBuffer>; places: ColumnPlaces };

/** Null when the times span too much. */
export function encode(all: Rows): Encoded | null {
  const entries = all.profileOf.length;
  const order = orderByFirstWord(all.keys);
  const rankOf = new Int32Array(entries);
  for (let rank = 0; rank < entries; rank += 1) rankOf[order[rank]] = rank;
  const rows = rowsByRank(all.entryOf, rankOf, entries);
  const { counts, bytes } = measure(rows, all, rankOf);
  const { baseUs, spanUs } = timeSpan(all.times);
  if (spanUs >= WORD * 65_536) return null;
  const chosen = all.sections.map(({ properties }) => properties.choose());
  const header: ProjectionHeader = {
    ...(all.owner && { owner: { orgId: all.owner.orgId, appId: all.owner.appId } }),
    entries,
    baseUs,
    highBytes: spanUs < WORD * 256 ? 1 : 2,
    profileBytes: all.profiles.length <= 256 ? 1 : 2,
    profiles: [...all.profiles],
    sections: all.sections.map(({ name, isDevelopment }, index) => ({
      name,
      isDevelopment,
      rows: counts[index],
      stepBytes: bytes[index],
      properties: at(chosen, index).columns.map(({ name, values }) => ({
        name,
        values: [...values.keys()],
      })),
      hasOthers: at(chosen, index).hasOthers,
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const layout = toLayout(header, text.length);
  const file = new Uint8Array(layout.end);
  file.set(text, PREFIX_BYTES);
  const keys = new Uint32Array(file.buffer, layout.keys, entries * KEY_WORDS);
  const profileOf = narrow(file, header.profileBytes, layout.profiles, entries);
  for (let rank = 0; rank < entries; rank += 1) {
    const entry = order[rank];
    copyKey(all.keys, entry, keys, rank);
    profileOf[rank] = all.profileOf[entry];
  }
  const placeOf = writeRows(file, rows, all, {
    rankOf,
    baseUs,
    highBytes: header.highBytes,
    layout,
  });
  for (const [section, { columns }] of chosen.entries()) {
    for (const [property, column] of columns.entries()) {
      const offset = at(at(layout.sections, section).properties, property);
      writeCodes(file, offset, column, placeOf);
    }
  }
  const prefix = new DataView(file.buffer);
  prefix.setUint32(0, MAGIC, true);
  prefix.setUint32(4, PROJECTION_FORMAT, true);
  prefix.setUint32(8, text.length, true);
  prefix.setBigUint64(CHECKSUM_OFFSET, computeChecksum(file), true);
  const own = chosen.map(({ columns }) => new Set(columns.map(({ name }) => name)));
  const projection = checksumText(file);
  return { bytes: file, places: { projection, rows: counts, placeOf, own } };
}

function narrow(file: Uint8Array<ArrayBuffer>, width: 1 | 2, offset: number, count: number) {
  return width === 1
    ? new Uint8Array(file.buffer, offset, count)
    : new Uint16Array(file.buffer, offset, count);
}

type Placement = {
  rankOf: Int32Array;
  baseUs: number;
  highBytes: 1 | 2;
  layout: Layout;
};

function writeRows(
  file: Uint8Array<ArrayBuffer>,
  rows: Int32Array,
  { entryOf, sectionOf, times }: Rows,
  { rankOf, baseUs, highBytes, layout }: Placement,
): Int32Array {
  const placeOf = new Int32Array(rows.length);
  const words = new Uint32Array(file.buffer);
  const lows = Int32Array.from(layout.sections, ({ low }) => low / 4);
  const highs = Float64Array.from(layout.sections, ({ high }) => high);
  const steps = Float64Array.from(layout.sections, ({ steps }) => steps);
  const last = new Int32Array(layout.sections.length);
  for (const row of rows) {
    const section = sectionOf[row];
    const offset = times[row] - baseUs;
    const low = lows[section];
    placeOf[row] = low - at(layout.sections, section).low / 4;
    words[low] = offset % WORD;
    lows[section] = low + 1;
    const high = highs[section];
    const above = Math.floor(offset / WORD);
    file[high] = above & 0xff;
    if (highBytes === 2) file[high + 1] = above >>> 8;
    highs[section] = high + highBytes;
    const rank = rankOf[entryOf[row]];
    let step = rank - last[section];
    last[section] = rank;
    let place = steps[section];
    while (step >= 0x80) {
      file[place] = (step & 0x7f) | 0x80;
      place += 1;
      step >>>= 7;
    }
    file[place] = step;
    steps[section] = place + 1;
  }
  return placeOf;
}

function writeCodes(
  file: Uint8Array,
  offset: number,
  { rows, codes }: PropertyColumn,
  placeOf: Int32Array,
): void {
  const found = codes.values();
  for (const [index, row] of rows.values().entries()) {
    file[offset + placeOf[row]] = found[index];
  }
}
