import { at, outside } from '../../shared/assert.ts';
import { isReserved } from '../event/columns.ts';
import {
  CHECKSUM_OFFSET,
  checksumOf,
  KEY_WORDS,
  layoutOf,
  MAGIC,
  PREFIX_BYTES,
  PROJECTION_FORMAT,
  type Profile,
  type ProjectionHeader,
  stepLength,
} from './format.ts';
import { orderByFirstWord } from './order.ts';
import { Words } from './words.ts';

/** Files with more of these have no projection. */
const MAX_SECTIONS = 4_000;
const MAX_PROFILES = 65_536;
const MAX_VALUES = 65_536;
const WORD = 2 ** 32;
/** No value, for rows that clients of production did not send. */
const NONE = -1;

type SectionName = { name: string; isDevelopment: boolean };
/** Whether clients of production sent its rows. */
type BuiltSection = SectionName & { isCounted: boolean };
type Value = { platform: string | null; version: string | null };

/** An entry whose rows are still coming. */
type Open = { entry: number; values: number[] };

/**
 * Makes a projection of rows that come in any order; those of a person had better follow each other,
 * since a person who comes again is another entry of the same key.
 */
export class ProjectionBuilder {
  readonly #sections: BuiltSection[] = [];
  readonly #values: Value[] = [];
  readonly #profiles: Profile[] = [];
  readonly #profileByValues = new Map<string, number>();
  readonly #keys = new Words((length) => new Uint32Array(length), KEY_WORDS * 1_024);
  readonly #profileOf = new Words((length) => new Int32Array(length));
  readonly #entryOf = new Words((length) => new Int32Array(length));
  readonly #sectionOf = new Words((length) => new Uint16Array(length));
  readonly #times = new Words((length) => new Float64Array(length));
  /** Of the person of the last row: without and with a user named. */
  #known: Open | null = null;
  #anonymous: Open | null = null;
  #key = [NONE, NONE, NONE, NONE];

  /** The number of a name and environment, for rows. */
  section(name: string, isDevelopment: boolean): number {
    const isCounted = !isDevelopment && !isReserved(name);
    return this.#sections.push({ name, isDevelopment, isCounted }) - 1;
  }

  /** The number of a platform and version, for rows. */
  value(platform: string | null, version: string | null): number {
    return this.#values.push({ platform, version }) - 1;
  }

  /** Whether there are too many names or values to go on. */
  get isTooWide(): boolean {
    return (
      this.#sections.length > MAX_SECTIONS ||
      this.#values.length > MAX_VALUES ||
      this.#profiles.length > MAX_PROFILES
    );
  }

  get rows(): number {
    return this.#times.length;
  }

  /** The person whose rows come now, by the words of the key. */
  person(a: number, b: number, c: number, d: number): void {
    const [a0, b0, c0, d0] = this.#key;
    if (a === a0 && b === b0 && c === c0 && d === d0) return;
    this.#close();
    this.#key = [a, b, c, d];
  }

  row(isAnonymous: boolean, section: number, timeUs: number, value: number): void {
    const open = this.#openOf(isAnonymous);
    const { isCounted } = this.#sections[section] ?? outside();
    if (isCounted && !open.values.includes(value)) open.values.push(value);
    this.#entryOf.push(open.entry);
    this.#sectionOf.push(section);
    this.#times.push(timeUs);
  }

  #openOf(isAnonymous: boolean): Open {
    const known = isAnonymous ? this.#anonymous : this.#known;
    if (known) return known;
    const open = this.#open();
    if (isAnonymous) this.#anonymous = open;
    else this.#known = open;
    return open;
  }

  #open(): Open {
    const entry = this.#profileOf.length;
    for (const word of this.#key) this.#keys.push(word);
    this.#profileOf.push(0);
    return { entry, values: [] };
  }

  #close(): void {
    for (const open of [this.#known, this.#anonymous]) {
      if (open) this.#profileOf.put(open.entry, this.#profile(open, open === this.#anonymous));
    }
    this.#known = null;
    this.#anonymous = null;
  }

  #profile({ values }: Open, isAnonymous: boolean): number {
    if (values.length > 1) values.sort((a, b) => a - b);
    const name = `${isAnonymous} ${values}`;
    const known = this.#profileByValues.get(name);
    if (known !== undefined) return known;
    const of = values.map((value) => at(this.#values, value));
    const made = this.#profiles.push({
      isAnonymous,
      platforms: [...new Set(of.map(({ platform }) => platform))],
      versions: [...new Set(of.map(({ version }) => version))],
    });
    this.#profileByValues.set(name, made - 1);
    return made - 1;
  }

  /** The file; null when it would be too wide. */
  encode(): Uint8Array<ArrayBuffer> | null {
    this.#close();
    this.#key = [NONE, NONE, NONE, NONE];
    if (this.isTooWide) return null;
    return encode({
      keys: this.#keys.values(),
      profileOf: this.#profileOf.values(),
      entryOf: this.#entryOf.values(),
      sectionOf: this.#sectionOf.values(),
      times: this.#times.values(),
      sections: this.#sections,
      profiles: this.#profiles,
    });
  }
}

type Rows = {
  keys: Uint32Array;
  profileOf: Int32Array;
  entryOf: Int32Array;
  sectionOf: Uint16Array;
  times: Float64Array;
  sections: readonly SectionName[];
  profiles: readonly Profile[];
};

/** The rows of one entry after the other, of entries in their order; those of one as they came. */
function rowsByRank(entryOf: Int32Array, rankOf: Int32Array, entries: number): Int32Array {
  const next = new Int32Array(entries + 1);
  for (const entry of entryOf) {
    const rank = rankOf[entry] ?? outside();
    next[rank + 1] = (next[rank + 1] ?? outside()) + 1;
  }
  for (let rank = 0; rank < entries; rank += 1) {
    next[rank + 1] = (next[rank + 1] ?? outside()) + (next[rank] ?? outside());
  }
  const rows = new Int32Array(entryOf.length);
  for (let row = 0; row < entryOf.length; row += 1) {
    const rank = rankOf[entryOf[row] ?? outside()] ?? outside();
    const place = next[rank] ?? outside();
    rows[place] = row;
    next[rank] = place + 1;
  }
  return rows;
}

/** Rows and bytes of steps by section. */
function measure(rows: Int32Array, { entryOf, sectionOf, sections }: Rows, rankOf: Int32Array) {
  const counts = new Int32Array(sections.length);
  const bytes = new Float64Array(sections.length);
  const last = new Int32Array(sections.length);
  for (const row of rows) {
    const section = sectionOf[row] ?? outside();
    const rank = rankOf[entryOf[row] ?? outside()] ?? outside();
    counts[section] = (counts[section] ?? outside()) + 1;
    bytes[section] =
      (bytes[section] ?? outside()) + stepLength(rank - (last[section] ?? outside()));
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

function encode(all: Rows): Uint8Array<ArrayBuffer> | null {
  const entries = all.profileOf.length;
  const order = orderByFirstWord(all.keys);
  const rankOf = new Int32Array(entries);
  for (let rank = 0; rank < entries; rank += 1) rankOf[order[rank] ?? outside()] = rank;
  const rows = rowsByRank(all.entryOf, rankOf, entries);
  const { counts, bytes } = measure(rows, all, rankOf);
  const { baseUs, spanUs } = timeSpan(all.times);
  if (spanUs >= WORD * 65_536) return null;
  const header: ProjectionHeader = {
    entries,
    baseUs,
    highBytes: spanUs < WORD * 256 ? 1 : 2,
    profileBytes: all.profiles.length <= 256 ? 1 : 2,
    profiles: [...all.profiles],
    sections: all.sections.map(({ name, isDevelopment }, index) => ({
      name,
      isDevelopment,
      rows: counts[index] ?? outside(),
      stepBytes: bytes[index] ?? outside(),
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const layout = layoutOf(header, text.length);
  const file = new Uint8Array(layout.end);
  file.set(text, PREFIX_BYTES);
  const keys = new Uint32Array(file.buffer, layout.keys, entries * KEY_WORDS);
  const profileOf = narrow(file, header.profileBytes, layout.profiles, entries);
  for (let rank = 0; rank < entries; rank += 1) {
    const entry = order[rank] ?? outside();
    for (let word = 0; word < KEY_WORDS; word += 1) {
      keys[rank * KEY_WORDS + word] = all.keys[entry * KEY_WORDS + word] ?? outside();
    }
    profileOf[rank] = all.profileOf[entry] ?? outside();
  }
  writeRows(file, rows, all, { rankOf, baseUs, highBytes: header.highBytes, layout });
  const prefix = new DataView(file.buffer);
  prefix.setUint32(0, MAGIC, true);
  prefix.setUint32(4, PROJECTION_FORMAT, true);
  prefix.setUint32(8, text.length, true);
  prefix.setBigUint64(CHECKSUM_OFFSET, checksumOf(file), true);
  return file;
}

function narrow(file: Uint8Array<ArrayBuffer>, width: 1 | 2, offset: number, count: number) {
  return width === 1
    ? new Uint8Array(file.buffer, offset, count)
    : new Uint16Array(file.buffer, offset, count);
}

type Placed = {
  rankOf: Int32Array;
  baseUs: number;
  highBytes: 1 | 2;
  layout: ReturnType<typeof layoutOf>;
};

function writeRows(
  file: Uint8Array<ArrayBuffer>,
  rows: Int32Array,
  { entryOf, sectionOf, times }: Rows,
  { rankOf, baseUs, highBytes, layout }: Placed,
): void {
  const words = new Uint32Array(file.buffer);
  const lows = Int32Array.from(layout.sections, ({ low }) => low / 4);
  const highs = Float64Array.from(layout.sections, ({ high }) => high);
  const steps = Float64Array.from(layout.sections, ({ steps }) => steps);
  const last = new Int32Array(layout.sections.length);
  for (const row of rows) {
    const section = sectionOf[row] ?? outside();
    const offset = (times[row] ?? outside()) - baseUs;
    const low = lows[section] ?? outside();
    words[low] = offset % WORD;
    lows[section] = low + 1;
    const high = highs[section] ?? outside();
    const above = Math.floor(offset / WORD);
    file[high] = above & 0xff;
    if (highBytes === 2) file[high + 1] = above >>> 8;
    highs[section] = high + highBytes;
    const rank = rankOf[entryOf[row] ?? outside()] ?? outside();
    let step = rank - (last[section] ?? outside());
    last[section] = rank;
    let place = steps[section] ?? outside();
    while (step >= 0x80) {
      file[place] = (step & 0x7f) | 0x80;
      place += 1;
      step >>>= 7;
    }
    file[place] = step;
    steps[section] = place + 1;
  }
}
