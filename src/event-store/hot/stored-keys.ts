import { KeyIndex, type KeyRunInfo, type LocalPath } from '../dedup/key-index.ts';
import type { EventRow } from '../event/columns.ts';

type KeyCheck = { seq: number; isStored: boolean };

const NEVER_CHECKED: KeyCheck = { seq: -1, isStored: false };

export type KeyMoment = {
  runs: readonly KeyRunInfo[];
  /** Id of the app's last undone import; 0 for none. */
  undoneSeq: number;
};

/** Lookups are remembered. */
export class StoredKeys {
  private readonly keys: KeyIndex;
  private readonly checks = new WeakMap<EventRow, KeyCheck>();

  constructor(localPath: LocalPath) {
    this.keys = new KeyIndex(localPath);
  }

  /** Only the undoing of an import removes identities. */
  async stored(rows: readonly EventRow[], { runs, undoneSeq }: KeyMoment): Promise<Set<string>> {
    this.keys.retain(runs);
    const seq = runs.reduce((max, run) => Math.max(max, run.seq), undoneSeq);
    const stored = new Set<string>();
    const unchecked = new Map<number, EventRow[]>();
    for (const row of rows) {
      if (row.key === null) continue;
      const check = this.checkSince(row, undoneSeq);
      if (check.isStored && check.seq <= seq) stored.add(row.key);
      else {
        const since = check.isStored ? NEVER_CHECKED.seq : check.seq;
        const group = unchecked.get(since) ?? [];
        unchecked.set(since, group);
        group.push(row);
      }
    }
    for (const [since, group] of unchecked) {
      const newer = runs.filter((run) => run.seq > since);
      const inNewer = await this.keys.known(group, newer);
      for (const row of group) {
        this.remember(row, { seq, isStored: row.key !== null && inNewer.has(row.key) });
      }
      for (const key of inNewer) stored.add(key);
    }
    return stored;
  }

  private checkSince(row: EventRow, seq: number): KeyCheck {
    const check = this.checks.get(row);
    return check && check.seq >= seq ? check : NEVER_CHECKED;
  }

  private remember(row: EventRow, check: KeyCheck): void {
    const { seq } = this.checks.get(row) ?? NEVER_CHECKED;
    if (seq < check.seq) this.checks.set(row, check);
  }
}
