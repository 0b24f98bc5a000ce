import { type Built, ProjectionBuilder } from './build.ts';
import type { Key } from './chunks.ts';
import { KEY_WORDS, type Sender } from './format.ts';
import { PairNumbers, Senders } from './pairs.ts';
import { Words } from './words.ts';

export type FileRow = {
  key: Key;
  isAnonymous: boolean;
  name: string;
  isDevelopment: boolean;
  timeUs: number;
  sender: Sender;
};

type Window = { fromUs: number; beforeUs: number };

const ALL: Window = { fromUs: -Infinity, beforeUs: Infinity };

export class FileRows {
  readonly sections: { name: string; isDevelopment: boolean }[] = [];
  readonly senders: Sender[] = [];
  readonly #keys = new Words((length) => new Uint32Array(length), KEY_WORDS * 64);
  readonly #personOf = new Words((length) => new Int32Array(length), 64);
  readonly #anonymous = new Words((length) => new Uint8Array(length), 64);
  readonly #sectionOf = new Words((length) => new Int32Array(length), 64);
  readonly #senderOf = new Words((length) => new Int32Array(length), 64);
  readonly #times = new Words((length) => new Float64Array(length), 64);
  readonly #sectionNumbers = new PairNumbers(
    (name: string, isDevelopment: boolean) => this.sections.push({ name, isDevelopment }) - 1,
  );
  readonly #senderNumbers = new Senders((sender) => this.senders.push(sender) - 1);

  #last: Key | null = null;

  get length(): number {
    return this.#times.length;
  }

  get bytes(): number {
    const columns = [
      this.#keys,
      this.#personOf,
      this.#anonymous,
      this.#sectionOf,
      this.#senderOf,
      this.#times,
    ];
    return columns.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Adjacency saves space, as in a projection. */
  add({ key, isAnonymous, name, isDevelopment, timeUs, sender }: FileRow): void {
    this.#personOf.push(this.#person(key));
    this.#anonymous.push(isAnonymous ? 1 : 0);
    this.#sectionOf.push(this.#sectionNumbers.of(name, isDevelopment));
    const { platform, version, country } = sender;
    this.#senderOf.push(this.#senderNumbers.of(platform, version, country));
    this.#times.push(timeUs);
  }

  #person(key: Key): number {
    if (key.some((word, index) => word !== this.#last?.[index])) {
      for (const word of key) this.#keys.push(word);
      this.#last = key;
    }
    return this.#keys.length / KEY_WORDS - 1;
  }

  each(
    { fromUs, beforeUs }: Window,
    use: (timeUs: number, section: number, sender: number) => void,
  ): void {
    for (let row = 0; row < this.length; row += 1) {
      const timeUs = this.#times.at(row);
      if (timeUs < fromUs || timeUs >= beforeUs) continue;
      use(timeUs, this.#sectionOf.at(row), this.#senderOf.at(row));
    }
  }

  project(
    { fromUs, beforeUs }: Window = ALL,
    props: readonly (string | null)[] = [],
    asked: readonly string[] = [],
  ): Built | null {
    const builder = new ProjectionBuilder({ asked });
    for (const { name, isDevelopment } of this.sections) builder.section(name, isDevelopment);
    for (const sender of this.senders) builder.sender(sender);
    if (builder.isTooWide) return null;
    const keys = this.#keys;
    for (let row = 0; row < this.length; row += 1) {
      const timeUs = this.#times.at(row);
      if (timeUs < fromUs || timeUs >= beforeUs) continue;
      const first = this.#personOf.at(row) * KEY_WORDS;
      builder.person(keys.at(first), keys.at(first + 1), keys.at(first + 2), keys.at(first + 3));
      builder.row(
        this.#anonymous.at(row) === 1,
        this.#sectionOf.at(row),
        timeUs,
        this.#senderOf.at(row),
        props[row] ?? null,
      );
    }
    return builder.build();
  }
}
