import { KeyRun, packKeys } from './key-run.ts';

export type KeyRunInfo = {
  runId: string;
  path: string;
  keys: number;
  /** Sequence number of the commit that added its newest key. */
  seq: number;
  minReceivedAt: Date;
  maxReceivedAt: Date;
};

/** Opens a run's file by the key of the object store. */
export type LocalPath = (path: string) => Promise<string>;

/**
 * Lookup of stored identities, in the runs of one snapshot. Runs stay mapped between lookups; their
 * memory is the kernel's page cache, which shrinks under pressure.
 */
export class KeyIndex {
  private readonly open = new Map<string, KeyRun>();

  constructor(private readonly localPath: LocalPath) {}

  /** The keys (hex) that are in any of the runs. */
  async known(hexKeys: Iterable<string>, runs: readonly KeyRunInfo[]): Promise<Set<string>> {
    const opened = await this.openRuns(runs);
    const stored = new Set<string>();
    for (const key of KeyRun.of(packKeys(hexKeys)).in(opened)) stored.add(key.toString('hex'));
    return stored;
  }

  /** Closes the runs that a snapshot no longer lists. */
  retain(runs: readonly KeyRunInfo[]): void {
    const wanted = new Set(runs.map((run) => run.runId));
    for (const runId of this.open.keys()) if (!wanted.has(runId)) this.open.delete(runId);
  }

  async openRuns(runs: readonly KeyRunInfo[]): Promise<KeyRun[]> {
    return Promise.all(
      runs.map(async ({ runId, path }) => {
        const run = this.open.get(runId) ?? KeyRun.open(await this.localPath(path));
        this.open.set(runId, run);
        return run;
      }),
    );
  }
}
