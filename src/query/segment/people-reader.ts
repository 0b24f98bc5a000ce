import { isReserved, type Projection } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import type { Slice } from '../reading/projection/people.ts';
import { RowBuffer } from '../reading/projection/rows.ts';
import { isNamed, type SectionRows, wantedSections } from '../reading/projection/sections.ts';
import type { CountedPart } from '../reading/projection/share.ts';
import { isCounted } from '../reading/source/files.ts';
import { compileConditions } from '../selection/row-test.ts';
import { type CountedOfPeople, listWindows, type Window, windowOver } from './counted.ts';
import type { PeopleCounts } from './people-counts.ts';

type Track = { slice: Slice; isAnonymous: Uint8Array; window: Window | null };
type ClauseTrack = Track & SectionRows & { clause: number };
type EventsTrack = Track & { sections: readonly SectionRows[]; hasSent: Uint8Array | null };

export type PlaceOf = (slice: Slice, entry: number, isAnonymous: Uint8Array) => number;

const byProfile = (
  { profiles }: Projection,
  of: (profile: Projection['profiles'][number]) => boolean,
) => Uint8Array.from(profiles, (profile) => (of(profile) ? 1 : 0));

function windowIn({ file }: CountedPart, window: Window): Window | null | 'none' {
  const over = file === null ? 'some' : windowOver(window, file);
  if (over === 'none') return 'none';
  return over === 'all' ? null : window;
}

type Reading = {
  parts: readonly CountedPart[];
  slices: readonly Slice[];
  environment: EnvironmentScope;
};

export class PeopleReader {
  readonly #counts: PeopleCounts;
  readonly #placeOf: PlaceOf;
  readonly #ofClauses: ClauseTrack[];
  readonly #ofEvents: EventsTrack[];
  readonly #isTimed: boolean;
  readonly #buffer = new RowBuffer();

  constructor(reading: Reading, counted: CountedOfPeople, counts: PeopleCounts, placeOf: PlaceOf) {
    this.#counts = counts;
    this.#placeOf = placeOf;
    this.#isTimed = counted.events === 'first';
    this.#ofClauses = clauseTracks(reading, counted);
    this.#ofEvents = counted.events === 'counted' ? [] : eventsTracks(reading, counted);
  }

  readRange(): void {
    for (const track of this.#ofClauses) this.#readClause(track);
    for (const track of this.#ofEvents) {
      if (track.hasSent) this.#readEntries(track, track.hasSent);
      else for (const section of track.sections) this.#readEvents(track, section);
    }
  }

  #readClause({ slice, isAnonymous, window, reader, matcher, clause }: ClauseTrack): void {
    const buffer = this.#buffer;
    const { entries, times } = buffer;
    const counts = this.#counts;
    for (;;) {
      const count = window ? reader.read(slice, buffer) : reader.readEntries(slice, buffer);
      if (count === 0) return;
      const passes = matcher?.match(buffer, count);
      for (let row = 0; row < count; row += 1) {
        if (passes?.[row] === 0) continue;
        if (window && (times[row] < window.fromUs || times[row] >= window.beforeUs)) continue;
        counts.add(this.#placeOf(slice, entries[row], isAnonymous), clause);
      }
    }
  }

  #readEntries({ slice, isAnonymous }: Track, hasSent: Uint8Array): void {
    const { profileOf } = slice.projection;
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      if (hasSent[profileOf[entry]] === 0) continue;
      this.#counts.see(this.#placeOf(slice, entry, isAnonymous), Infinity);
    }
  }

  #readEvents({ slice, isAnonymous, window }: Track, { reader }: SectionRows): void {
    const buffer = this.#buffer;
    const { entries, times } = buffer;
    const hasTimes = this.#isTimed || window !== null;
    for (;;) {
      const count = hasTimes ? reader.read(slice, buffer) : reader.readEntries(slice, buffer);
      if (count === 0) return;
      for (let row = 0; row < count; row += 1) {
        if (window && times[row] >= window.beforeUs) continue;
        const time = hasTimes ? times[row] : Infinity;
        this.#counts.see(this.#placeOf(slice, entries[row], isAnonymous), time);
      }
    }
  }
}

function clauseTracks({ parts, slices, environment }: Reading, counted: CountedOfPeople) {
  const [, ...windows] = listWindows(counted);
  return counted.did.flatMap(({ names, where }, clause) => {
    const test = where ? compileConditions(where) : null;
    return parts.flatMap((part, index): ClauseTrack[] => {
      const window = windowIn(part, at(windows, clause));
      if (window === 'none') return [];
      const sections = wantedSections(part, {
        environment,
        has: (section) => isNamed(names, section),
        test,
      });
      const isAnonymous = byProfile(part.projection, (profile) => profile.isAnonymous);
      const slice = at(slices, index);
      return sections.map((section) => ({ ...section, slice, isAnonymous, window, clause }));
    });
  });
}

function eventsTracks({ parts, slices, environment }: Reading, counted: CountedOfPeople) {
  const ever = at(listWindows(counted), 0);
  return parts.flatMap((part, index): EventsTrack[] => {
    const { projection, file } = part;
    const window = windowIn(part, ever);
    if (window === 'none') return [];
    const has = ({ name }: { name: string }) => !isReserved(name);
    const isOfProfiles =
      counted.events === 'any' &&
      window === null &&
      file !== null &&
      isCounted({ environment }, file);
    return [
      {
        slice: at(slices, index),
        isAnonymous: byProfile(projection, ({ isAnonymous }) => isAnonymous),
        window,
        sections: wantedSections(part, { environment, has, test: null }),
        hasSent: isOfProfiles
          ? byProfile(projection, ({ platforms }) => platforms.length > 0)
          : null,
      },
    ];
  });
}
