import type { RangeCounts } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import type { EventFile, EventSource } from '../reading/source/events.ts';
import { isCounted } from '../reading/source/files.ts';
import { readRows, type SqlRun } from '../reading/source/sql-rows.ts';

export type Counted = { bucket: number; series: number; events: number };

type Split = {
  boundariesUs: readonly number[];
  names: readonly string[] | null;
};

function findBucket(file: EventFile, boundariesUs: readonly number[]): number | null {
  const fromUs = file.minOccurredAt.getTime() * 1_000;
  const beforeUs = file.maxOccurredAt.getTime() * 1_000;
  const next = boundariesUs.findIndex((boundary) => boundary > fromUs);
  return next > 0 && beforeUs <= at(boundariesUs, next) ? next - 1 : null;
}

function countsByName(counts: RangeCounts, names: Split['names']): Omit<Counted, 'bucket'>[] {
  if (names === null) {
    return [{ series: 0, events: counts.names.reduce((sum, [, events]) => sum + events, 0) }];
  }
  const byName = new Map(counts.names);
  return [...new Set(names)].map((name) => ({
    series: names.length > 1 ? names.indexOf(name) + 1 : 0,
    events: byName.get(name) ?? 0,
  }));
}

/** The catalogue counts no reserved names and no people: with erased ones every file is read. */
export function knownEvents<F extends EventFile>(
  source: Pick<EventSource, 'environment' | 'erased'> & { files: readonly F[] },
  { boundariesUs, names }: Split,
): { known: Counted[]; unknown: F[] } {
  const mustRead = source.erased.length > 0;
  const known: Counted[] = [];
  const unknown: F[] = [];
  for (const file of source.files) {
    const bucket = mustRead || !isCounted(source, file) ? null : findBucket(file, boundariesUs);
    if (bucket === null || !file.counts) unknown.push(file);
    else known.push(...countsByName(file.counts, names).map((one) => ({ ...one, bucket })));
  }
  return { known, unknown };
}

export async function readEvents(
  run: SqlRun,
  events: string,
  { bucket, series }: { bucket: string; series: string },
): Promise<Counted[]> {
  const found = await readRows(
    run,
    `SELECT ${bucket} AS bucket, ${series} AS series, count(*) FROM ${events} GROUP BY 1, 2`,
  );
  return found.map(([index, number, events]) => ({
    bucket: Number(index),
    series: Number(number),
    events: Number(events),
  }));
}
