import { isUnreadable, noteDamage, selectDamagedPaths } from '../../event-store/place.ts';
import { AppError, errorMessage } from '../../shared/errors.ts';
import { DamagedFile } from '../../storage/damaged-file.ts';
import type { Db } from '../../storage/postgres.ts';
import { missingFiles } from './files.ts';

/** A backup without them is better than none; an older one that may have them stays. */
export class LeftOut {
  readonly #faults = new Map<string, string>();

  /** False for a file left out. `check` reads the source. */
  async holds(
    key: string,
    copy: () => Promise<unknown>,
    check?: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await copy();
      this.#faults.delete(key);
      return true;
    } catch (thrown) {
      const fault = check ? await check().catch((found: unknown) => found) : thrown;
      const isDamaged = fault instanceof DamagedFile || (check && isUnreadable(fault));
      if (!isDamaged) throw thrown;
      this.#faults.set(key, errorMessage(fault));
      return false;
    }
  }

  /** Throws `unavailable` for a missing file that nobody knows to be damaged. */
  async settle(tx: Db, copied: readonly string[]): Promise<string[]> {
    const missing = await missingFiles(tx, copied);
    const damaged = new Set([...this.#faults.keys(), ...(await selectDamagedPaths(tx))]);
    const unknown = missing.filter((path) => !damaged.has(path));
    if (unknown.length === 0) return missing;
    throw new AppError('unavailable', `${unknown.length} files of the catalogue are missing.`, {
      hint: `Run the backup again. The first missing file is ${unknown[0]}.`,
    });
  }

  async note(db: Db): Promise<void> {
    for (const [key, fault] of this.#faults) await noteDamage(db, key, fault);
  }
}
