import { statSync } from 'node:fs';
import type { EventRow } from '../event/columns.ts';
import { formerKey, keyWithoutDevice } from '../event/identity.ts';
import { parseMicroseconds } from '../event/time-rules.ts';
import { checkRows } from '../../storage/missing-rows.ts';
import type { Check } from '../../storage/object-store/port.ts';
import { KEY_BYTES, KeyRun, packKeys } from './key-run.ts';
import { covers, hourNumber, type Section } from './sections.ts';

export type KeyRunInfo = {
  runId: string;
  path: string;
  keys: number;
  /** Sequence number of the commit with its newest key. */
  seq: number;
  minReceivedAt: Date;
  maxReceivedAt: Date;
  /** In file order; null in runs of earlier releases: one section of unknown time. */
  sections: Section[] | null;
  settled: boolean;
  /** Identities of one import only; null for all others. */
  importId: string | null;
};

export type LocalPath = (path: string, part?: Check['part']) => Promise<string>;

type KeyedRow = EventRow & { key: string };

const isKeyed = (row: EventRow): row is KeyedRow => row.key !== null;

type SentAt = Pick<EventRow, 'clientTs' | 'occurredAtUs'> & { timeFlag: string | null };

export type KeyedTimes = SentAt & Pick<EventRow, 'key' | 'receivedAtUs'>;

type ByOtherKey = ReadonlyMap<string | null, readonly KeyedRow[]>;

function addKnown(stored: Set<string>, rows: ByOtherKey, runs: readonly KeyRun[]): void {
  const others = [...rows.keys()].filter((key) => key !== null);
  if (others.length === 0) return;
  for (const key of KeyRun.of(packKeys(others)).in(runs)) {
    for (const row of rows.get(key.toString('hex')) ?? []) stored.add(row.key);
  }
}

/** Hour of `ts` as sent; null without one. */
export function toSentHour({ clientTs, occurredAtUs, timeFlag }: SentAt): number | null {
  // Without a flag, the occurred time is the sent time.
  if (timeFlag === null) return hourNumber(occurredAtUs / 1_000);
  const sentUs = clientTs === null ? null : parseMicroseconds(clientTs);
  return sentUs === null ? null : hourNumber(sentUs / 1_000);
}

export function runsOfHour(
  runs: readonly KeyRunInfo[],
  sentHour: number | null,
): { run: KeyRunInfo; section: Section }[] {
  return runs.flatMap((run) =>
    (run.sections ?? [])
      .filter((section) => covers(section, sentHour))
      .map((section) => ({ run, section })),
  );
}

type OpenRun = { run: KeyRun; inode: number; checked: Set<number> };

/** Runs stay mapped: the page cache shrinks under memory pressure. */
export class KeyIndex {
  private readonly open = new Map<string, OpenRun>();

  constructor(private readonly localPath: LocalPath) {}

  async known(rows: Iterable<EventRow>, runs: readonly KeyRunInfo[]): Promise<Set<string>> {
    const keyed = [...rows].filter(isKeyed);
    const stored = await this.knownToFormer(keyed, runs);
    for (const [sentHour, sent] of Map.groupBy(keyed, toSentHour)) {
      const asked = runsOfHour(runs, sentHour);
      if (asked.length === 0) continue;
      const opened = await Promise.all(
        asked.map(({ run, section }) => this.openSection(run, section)),
      );
      const wanted = KeyRun.of(packKeys(sent.map(({ key }) => key)));
      for (const key of wanted.in(opened)) stored.add(key.toString('hex'));
      addKnown(stored, Map.groupBy(sent, keyWithoutDevice), opened);
    }
    return stored;
  }

  retain(runs: readonly KeyRunInfo[]): void {
    const wanted = new Set(runs.map((run) => run.runId));
    for (const runId of this.open.keys()) if (!wanted.has(runId)) this.open.delete(runId);
  }

  async sectionsOf(run: KeyRunInfo): Promise<{ section: Section; keys: KeyRun }[]> {
    return Promise.all(
      (run.sections ?? []).map(async (section) => ({
        section,
        keys: await this.openSection(run, section),
      })),
    );
  }

  /** No times; keys without the device. */
  private async knownToFormer(
    rows: readonly KeyedRow[],
    runs: readonly KeyRunInfo[],
  ): Promise<Set<string>> {
    const former = runs.filter(({ sections }) => sections === null);
    if (former.length === 0) return new Set();
    const opened = await Promise.all(former.map((run) => this.openRun(run)));
    const stored = new Set<string>();
    addKnown(stored, Map.groupBy(rows, formerKey), opened);
    return stored;
  }

  private async openSection(run: KeyRunInfo, section: Section): Promise<KeyRun> {
    let start = 0;
    for (const one of run.sections ?? []) {
      if (one === section) break;
      start += one.keys;
    }
    const part = { from: start * KEY_BYTES, to: (start + section.keys) * KEY_BYTES };
    const { bytes } = await this.openRun(run, part);
    return KeyRun.of(bytes.subarray(part.from, part.to));
  }

  private async openRun({ runId, path, keys }: KeyRunInfo, part?: Check['part']): Promise<KeyRun> {
    const found = this.open.get(runId);
    const place = part?.from ?? -1;
    if (found?.checked.has(place)) return found.run;
    const local = await this.localPath(path, part);
    const mapped = this.mapped(runId, local);
    checkRows(mapped.run.count, keys, path);
    mapped.checked.add(place);
    this.open.set(runId, mapped);
    return mapped.run;
  }

  /** Anew after a repair, which put another file there. */
  private mapped(runId: string, local: string): OpenRun {
    const inode = statSync(local).ino;
    const found = this.open.get(runId);
    if (found?.inode === inode) return found;
    return { run: KeyRun.open(local), inode, checked: new Set() };
  }
}
