import type { AppScope } from '../../shared/app.ts';
import { isReserved } from '../event/columns.ts';
import { type BuiltSection, type Encoded, encode } from './encode.ts';
import { encodeColumn } from './encode-column.ts';
import { Entries, type KeptSenders } from './entries.ts';
import type { Sender } from './format.ts';
import { Props, SectionProperties } from './properties.ts';
import { PropertyValues } from './property-values.ts';
import { Words } from './words.ts';

/** Above these, a file has no projection. */
const MAX_SECTIONS = 4_000;
/** At five bytes each during the build. */
const MAX_CODES = 16_000_000;

type BuilderOptions = {
  owner?: AppScope | undefined;
  senders?: KeptSenders;
  /** Properties of whatever values, a column each. */
  asked?: readonly string[];
};

export type Built = { bytes: Uint8Array<ArrayBuffer>; columns: Uint8Array<ArrayBuffer>[] };

/** Any order; adjacency saves space. */
export class ProjectionBuilder {
  readonly #sections: BuiltSection[] = [];
  readonly #entries = new Entries();
  readonly #sectionOf = new Words((length) => new Uint16Array(length));
  readonly #times = new Words((length) => new Float64Array(length));
  readonly #budget = { left: MAX_CODES };
  readonly #owner: AppScope | null;
  readonly #asked: readonly PropertyValues[];
  #senders: KeptSenders;

  constructor({ owner, senders = 'all', asked = [] }: BuilderOptions = {}) {
    this.#asked = asked.map((name) => new PropertyValues(name));
    this.#owner = owner ?? null;
    this.#senders = senders;
  }

  section(name: string, isDevelopment: boolean): number {
    const isCounted = !isDevelopment && !isReserved(name);
    const properties = new SectionProperties(this.#budget);
    return this.#sections.push({ name, isDevelopment, isCounted, properties }) - 1;
  }

  sender(sender: Sender): number {
    return this.#entries.sender(sender);
  }

  dropSenders(): void {
    this.#senders = 'none';
  }

  get isTooWide(): boolean {
    return this.#sections.length > MAX_SECTIONS;
  }

  get rows(): number {
    return this.#times.length;
  }

  person(a: number, b: number, c: number, d: number): void {
    this.#entries.person(a, b, c, d);
  }

  row(
    isAnonymous: boolean,
    section: number,
    timeUs: number,
    sender: number,
    props: string | null = null,
  ): void {
    const { isCounted, properties } = this.#sections[section];
    if (props !== null) {
      const read = new Props(props);
      properties.add(this.#times.length, read);
      for (const asked of this.#asked) asked.add(section, this.#times.length, read);
    }
    this.#entries.row(sender, isAnonymous, isCounted);
    this.#sectionOf.push(section);
    this.#times.push(timeUs);
  }

  /** Null when too wide. */
  build(): Built | null {
    const encoded = this.#encode();
    if (encoded === null) return null;
    const { bytes, places } = encoded;
    return { bytes, columns: this.#asked.map((asked) => encodeColumn(asked, places)) };
  }

  encode(): Uint8Array<ArrayBuffer> | null {
    return this.#encode()?.bytes ?? null;
  }

  #encode(): Encoded | null {
    if (this.isTooWide) return null;
    const people = this.#entries.people(this.#senders);
    return (
      people &&
      encode({
        ...people,
        sectionOf: this.#sectionOf.values(),
        times: this.#times.values(),
        sections: this.#sections,
        owner: this.#owner,
      })
    );
  }
}
