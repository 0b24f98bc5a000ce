import type { ObjectStore } from '../../storage/object-store/port.ts';

type Open = Pick<ObjectStore, 'localPath'>;

/** Files named in SQL, checked while it runs. */
export class FileUses {
  readonly #objects: Open;
  readonly #keyOf: ReadonlyMap<string, string>;
  readonly #checks = new Map<string, Promise<string>>();

  constructor(objects: Open, keyOf: ReadonlyMap<string, string>) {
    this.#objects = objects;
    this.#keyOf = keyOf;
  }

  note(paths: readonly string[]): void {
    for (const path of paths) {
      const key = this.#keyOf.get(path);
      if (key === undefined || this.#checks.has(path)) continue;
      const check = this.#objects.localPath(key, { when: 'used' });
      check.catch(() => undefined);
      this.#checks.set(path, check);
    }
  }

  async check(paths: readonly string[]): Promise<void> {
    const keys = paths.flatMap((path) => this.#keyOf.get(path) ?? []);
    await Promise.all(keys.map((key) => this.#objects.localPath(key)));
  }

  /** Throws `DamagedFile`; `MissingRows` after a new download. */
  async settle(): Promise<void> {
    await Promise.all(this.#checks.values());
  }
}
