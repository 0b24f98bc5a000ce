import { isReserved } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import { isSenderField } from '../../../shared/event-fields.ts';
import { type FirstDimension, MISSING } from '../../selection/dimension.ts';
import { Numbers } from './numbers.ts';
import { ABSENT, PeopleByRange, type Slice } from './people.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { CHUNK_ROWS, RowBuffer } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CounterOf, CountState, EntryTexts, RangeCounter, Share } from './share.ts';

type Codes = EntryTexts['codes'];
type ValuedRows = SectionRows & { values: RowValues };

type Track = {
  slice: Slice;
  sections: readonly ValuedRows[];
  fromUs: number;
  beforeUs: number;
  sent: Int32Array | null;
  wanted: Uint8Array;
};

const NONE = 0;
/** At one instant; projections do not know the order. */
const TIED = -1;
const OPEN = -2;
const MAX_TEXTS = 65_535;

class Earliest {
  #until = new Float64Array(0);
  #values = new Int32Array(0);

  clear(people: number): void {
    if (people > this.#until.length) {
      this.#until = new Float64Array(2 * people);
      this.#values = new Int32Array(2 * people);
    }
    this.#until.fill(Infinity, 0, people);
    this.#values.fill(NONE, 0, people);
  }

  seeEntry(person: number, { fromUs, beforeUs }: Track, value: number): void {
    if (fromUs >= this.#until[person]) return;
    const known = this.#values[person];
    this.#values[person] = known === NONE || known === value ? value : OPEN;
    if (beforeUs < this.#until[person]) this.#until[person] = beforeUs;
  }

  mayBegin(person: number, { fromUs }: Track): boolean {
    return fromUs <= this.#until[person];
  }

  see(person: number, timeUs: number, value: number): boolean {
    const known = this.#until[person];
    if (timeUs > known || (timeUs === known && this.#values[person] === value)) return false;
    const isTied = timeUs === known && this.#values[person] !== OPEN;
    this.#values[person] = isTied ? TIED : value;
    this.#until[person] = timeUs;
    return true;
  }

  of(person: number): number {
    return this.#values[person];
  }
}

function openTracks(
  { parts, environment }: Share,
  slices: readonly Slice[],
  values: DimensionValues,
  { of }: FirstDimension,
): Track[] {
  const has = ({ name }: { name: string }) => !isReserved(name);
  const isOfSenders = environment === 'production' && isSenderField(of.kind);
  const tracks = parts.map((part, index): Track => {
    const { projection, file } = part;
    const sections = wantedSections(part, { environment, test: null, has }).map((rows) => ({
      ...rows,
      values: values.of(rows.section, part),
    }));
    const numbers = sections[0]?.values.ofProfiles;
    const sent = projection.profiles.map(({ platforms }, profile) =>
      numbers && platforms.length > 0 ? numbers[profile] + 1 : NONE,
    );
    return {
      ...{ slice: at(slices, index), sections, wanted: new Uint8Array(0) },
      fromUs: projection.baseUs,
      beforeUs: file === null ? Infinity : file.maxOccurredAt.getTime() * 1_000,
      sent: isOfSenders ? Int32Array.from(sent) : null,
    };
  });
  return tracks.toSorted((a, b) => a.fromUs - b.fromUs);
}

export type FirstTask = { by: FirstDimension; codes: readonly Codes[] | null };

export class FirstCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly codes: readonly Codes[] | null;
  readonly #texts: readonly string[];
  readonly #tracks: readonly Track[];
  readonly #ofRange = new Earliest();
  readonly #ofStitched = new Earliest();
  /** Person, time, value; part, entry, person. */
  readonly #seen = new Numbers();
  readonly #entries = new Numbers();
  readonly #tied = new Float64Array(1);
  readonly #rows = new RowBuffer();
  readonly #numbers = new Int32Array(CHUNK_ROWS);

  constructor(share: Share, { by, codes }: FirstTask) {
    const { parts, ranges } = share;
    const values = new DimensionValues(by.of);
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    this.#tracks = openTracks(share, this.people.slices, values, by);
    this.#texts = [MISSING.first, ...values.texts];
    const { length } = this.#texts;
    const make = (entries: number): Codes =>
      length <= 256
        ? new Uint8Array(new SharedArrayBuffer(entries))
        : new Uint16Array(new SharedArrayBuffer(2 * entries));
    this.codes =
      codes ??
      (length > MAX_TEXTS ? null : parts.map(({ projection }) => make(projection.entries)));
    this.#ofStitched.clear(this.people.stitched);
  }

  countRange(): void {
    this.#ofRange.clear(this.people.capacity);
    for (const track of this.#tracks) if (track.sent) this.#readEntries(track, track.sent);
    for (const track of this.#tracks) if (this.#want(track)) this.#readRows(track);
    for (const [part, slice] of this.people.slices.entries()) this.#keep(part, slice);
  }

  #readEntries(track: Track, sent: Int32Array): void {
    const { slice } = track;
    const { profileOf } = slice.projection;
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      const value = sent[profileOf[entry]];
      if (value === NONE) continue;
      const person = this.people.personOf(slice, entry);
      if (person >= 0 && person !== ABSENT) this.#ofRange.seeEntry(person, track, value);
    }
  }

  #want(track: Track): boolean {
    const { slice, sent } = track;
    const count = slice.before - slice.from;
    if (count > track.wanted.length) track.wanted = new Uint8Array(2 * count);
    const { wanted } = track;
    if (sent === null) {
      wanted.fill(1, 0, count);
      return count > 0;
    }
    const { profileOf } = slice.projection;
    let isAny = false;
    for (let place = 0; place < count; place += 1) {
      const entry = slice.from + place;
      const isWanted = sent[profileOf[entry]] !== NONE && this.#isOpen(slice.get(entry), track);
      wanted[place] = isWanted ? 1 : 0;
      isAny ||= isWanted;
    }
    return isAny;
  }

  #isOpen(person: number, track: Track): boolean {
    if (person === ABSENT) return false;
    if (person < 0) return this.#ofStitched.mayBegin(-1 - person, track);
    return this.#ofRange.of(person) === OPEN && this.#ofRange.mayBegin(person, track);
  }

  #readRows({ slice, sections, wanted }: Track): void {
    const [rows, numbers] = [this.#rows, this.#numbers];
    const { entries } = rows;
    for (const { reader, values } of sections) {
      for (;;) {
        const count = reader.readEntries(slice, rows);
        if (count === 0) break;
        values.read(rows, count, numbers);
        for (let row = 0; row < count; row += 1) {
          if (wanted[entries[row] - slice.from] === 0) continue;
          const person = this.people.personOf(slice, entries[row]);
          this.#see(person, reader.timeOf(rows.first + row), numbers[row] + 1);
        }
      }
    }
  }

  #see(person: number, timeUs: number, value: number): void {
    if (person === ABSENT) return;
    if (person >= 0) {
      this.#ofRange.see(person, timeUs, value);
      return;
    }
    const stitched = -1 - person;
    if (!this.#ofStitched.see(stitched, timeUs, value)) return;
    this.#seen.push(stitched);
    this.#seen.push(timeUs);
    this.#seen.push(value);
  }

  #keep(part: number, slice: Slice): void {
    const codes = this.codes?.[part];
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      const person = this.people.knownPersonOf(slice, entry);
      if (person === ABSENT) continue;
      if (person >= 0) this.#put(codes, entry, this.#ofRange.of(person));
      else {
        this.#entries.push(part);
        this.#entries.push(entry);
        this.#entries.push(-1 - person);
      }
    }
  }

  #put(codes: Codes | undefined, entry: number, value: number): void {
    if (value === TIED) this.#tied[0] += 1;
    else if (codes) codes[entry] = value;
  }

  countStitched(): void {
    const [seen, entries] = [this.#seen.values(), this.#entries.values()];
    this.#ofStitched.clear(this.people.stitched);
    for (let place = 0; place < seen.length; place += 3) {
      this.#ofStitched.see(seen[place], seen[place + 1], seen[place + 2]);
    }
    for (let place = 0; place < entries.length; place += 3) {
      const value = this.#ofStitched.of(entries[place + 2]);
      this.#put(this.codes?.[entries[place]], entries[place + 1], value);
    }
  }

  state(): CountState {
    return { sums: [this.#tied], lists: [this.#seen, this.#entries], bits: [] };
  }

  found(): EntryTexts[] | null {
    if (this.#tied[0] > 0 || this.codes === null) return null;
    return this.codes.map((codes) => ({ codes, texts: this.#texts }));
  }
}

export const firstCounter: CounterOf<FirstTask> = (share, task) => new FirstCounter(share, task);
