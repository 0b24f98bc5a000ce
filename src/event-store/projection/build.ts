import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import { isReserved } from '../event/columns.ts';
import { type BuiltSection, encode } from './encode.ts';
import { KEY_WORDS, type Profile } from './format.ts';
import { SectionProperties } from './properties.ts';
import { Words } from './words.ts';

/** Above these, a file has no projection. */
const MAX_SECTIONS = 4_000;
const MAX_PROFILES = 65_536;
const MAX_VALUES = 65_536;
/** At five bytes each during the build. */
const MAX_CODES = 16_000_000;
/** For rows not sent by production clients. */
const NONE = -1;

type Value = { platform: string | null; version: string | null };

type OpenEntry = { entry: number; values: number[] };

/** Any order; a returning person becomes a second entry, so adjacency saves space. */
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
  readonly #budget = { left: MAX_CODES };
  /** Of the last row's person, without and with a user id. */
  #known: OpenEntry | null = null;
  #anonymous: OpenEntry | null = null;
  #key = [NONE, NONE, NONE, NONE];

  constructor(private readonly owner: AppScope | null = null) {}

  section(name: string, isDevelopment: boolean): number {
    const isCounted = !isDevelopment && !isReserved(name);
    const properties = new SectionProperties(this.#budget);
    return this.#sections.push({ name, isDevelopment, isCounted, properties }) - 1;
  }

  value(platform: string | null, version: string | null): number {
    return this.#values.push({ platform, version }) - 1;
  }

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

  /** Starts a person, by key words. */
  person(a: number, b: number, c: number, d: number): void {
    const [a0, b0, c0, d0] = this.#key;
    if (a === a0 && b === b0 && c === c0 && d === d0) return;
    this.#close();
    this.#key = [a, b, c, d];
  }

  /** `props` is JSON object text. */
  row(
    isAnonymous: boolean,
    section: number,
    timeUs: number,
    value: number,
    props: string | null = null,
  ): void {
    const open = this.#openOf(isAnonymous);
    const { isCounted, properties } = this.#sections[section];
    if (props !== null) properties.add(this.#times.length, props);
    if (isCounted && !open.values.includes(value)) open.values.push(value);
    this.#entryOf.push(open.entry);
    this.#sectionOf.push(section);
    this.#times.push(timeUs);
  }

  #openOf(isAnonymous: boolean): OpenEntry {
    const known = isAnonymous ? this.#anonymous : this.#known;
    if (known) return known;
    const open = this.#open();
    if (isAnonymous) this.#anonymous = open;
    else this.#known = open;
    return open;
  }

  #open(): OpenEntry {
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

  #profile({ values }: OpenEntry, isAnonymous: boolean): number {
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

  /** Null when too wide. */
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
      owner: this.owner,
    });
  }
}
