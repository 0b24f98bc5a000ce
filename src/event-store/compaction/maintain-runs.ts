import { open } from 'node:fs/promises';
import { at } from '../../shared/assert.ts';
import { newId } from '../../shared/ids.ts';
import { insertRun, liveRuns, lockCatalogue, retireRuns } from '../catalogue/queries.ts';
import { type KeyedTimes, KeyIndex, sentHourOf } from '../dedup/key-index.ts';
import { KeyRun, mergeKeyRuns, packKeys } from '../dedup/key-run.ts';
import { expiredRuns, isExpired, nextMerge } from '../dedup/plan.ts';
import {
  isWithin,
  limitSpans,
  type Section,
  type Span,
  settledSpan,
  spanName,
  spanOf,
} from '../dedup/sections.ts';
import type { NewKeyRun } from '../file/event-file.ts';
import { keyRunName } from '../names.ts';
import type { EventStore } from '../store.ts';

/** Per run; bounds the reads of a commit and a lookup. */
export const MAX_SECTIONS = 64;

type Part = { section: Section; keys: KeyRun };

/** By time. */
function groupParts(parts: readonly Part[], spanOfPart: (part: Span) => Span) {
  const groups = Map.groupBy(parts, ({ section }) => spanName(spanOfPart(section)));
  return [...groups.values()]
    .map((alike) => ({ span: spanOfPart(at(alike, 0).section), alike }))
    .toSorted((a, b) => a.span.fromHour - b.span.fromHour);
}

function limitedParts(parts: readonly Part[], nowMs: number) {
  const settled = (span: Span) => settledSpan(span, nowMs);
  const sizes = groupParts(parts, settled).map(({ span, alike }) => ({
    ...span,
    keys: alike.reduce((sum, { keys }) => sum + keys.count, 0),
  }));
  const limit = limitSpans(sizes, MAX_SECTIONS);
  return groupParts(parts, (span) => limit(settled(span)));
}

/** One section per span. */
async function writeRun(
  { objects, clock }: Omit<EventStore, 'sql'>,
  parts: ReturnType<typeof groupParts>,
  settled: boolean,
): Promise<NewKeyRun> {
  const runId = newId('run');
  const scratch = objects.scratchPath(`${runId}.keys`);
  const file = await open(scratch, 'w', 0o600);
  const sections: Section[] = [];
  try {
    for (const { span, alike } of parts) {
      const keys = await mergeKeyRuns(
        alike.map((part) => part.keys),
        file,
      );
      sections.push({ ...span, keys, ...received(alike.map(({ section }) => section)) });
    }
  } finally {
    await file.close();
  }
  const path = keyRunName(runId, clock());
  await objects.adopt(scratch, path);
  const { minReceivedMs, maxReceivedMs } = received(sections);
  return {
    runId,
    path,
    keys: sections.reduce((sum, { keys }) => sum + keys, 0),
    minReceivedAt: new Date(minReceivedMs),
    maxReceivedAt: new Date(maxReceivedMs),
    sections,
    settled,
  };
}

function received(
  sections: readonly Pick<Section, 'minReceivedMs' | 'maxReceivedMs'>[],
): Pick<Section, 'minReceivedMs' | 'maxReceivedMs'> {
  return {
    minReceivedMs: Math.min(...sections.map(({ minReceivedMs }) => minReceivedMs)),
    maxReceivedMs: Math.max(...sections.map(({ maxReceivedMs }) => maxReceivedMs)),
  };
}

type Group = { span: Span; hexKeys: string[]; minReceivedMs: number; maxReceivedMs: number };

function groupBySpan(rows: readonly KeyedTimes[], nowMs: number): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (sentHour: number | null, receivedMs: number): Group => {
    const span = spanOf(sentHour, receivedMs, nowMs);
    const name = spanName(span);
    const none = { span, hexKeys: [], minReceivedMs: Infinity, maxReceivedMs: -Infinity };
    const group = groups.get(name) ?? none;
    groups.set(name, group);
    return group;
  };
  // Most rows were sent within one hour, whose span does not depend on receipt.
  const bySentHour = new Map<number, Group>();
  for (const row of rows) {
    if (row.key === null) continue;
    const receivedMs = row.receivedAtUs / 1_000;
    const sentHour = sentHourOf(row);
    const known = sentHour === null ? undefined : bySentHour.get(sentHour);
    const group = known ?? groupOf(sentHour, receivedMs);
    if (sentHour !== null) bySentHour.set(sentHour, group);
    group.hexKeys.push(row.key);
    group.minReceivedMs = Math.min(group.minReceivedMs, receivedMs);
    group.maxReceivedMs = Math.max(group.maxReceivedMs, receivedMs);
  }
  return [...groups.values()];
}

/** Null when no row has an identity. */
export async function writeKeyRun(
  store: Omit<EventStore, 'sql'>,
  rows: readonly KeyedTimes[],
): Promise<NewKeyRun | null> {
  const nowMs = store.clock().getTime();
  const parts = groupBySpan(rows, nowMs).map(({ span, hexKeys, ...times }): Part => {
    const keys = KeyRun.of(packKeys(hexKeys));
    return { section: { ...span, keys: keys.count, ...times }, keys };
  });
  return parts.length === 0 ? null : writeRun(store, limitedParts(parts, nowMs), false);
}

/** Retires expired runs and merges young ones; true after a merge. */
export async function maintainRuns(store: EventStore): Promise<boolean> {
  const { sql, objects, clock } = store;
  const nowMs = clock().getTime();
  const runs = await liveRuns(sql);
  const expired = new Set(expiredRuns(runs, nowMs).map((run) => run.runId));
  if (expired.size > 0) await sql.begin((tx) => retireRuns(tx, [...expired]));
  const merge = nextMerge(
    runs.filter((run) => !expired.has(run.runId)),
    nowMs,
  );
  if (merge === null) return false;

  const { young, settle } = merge;
  const index = new KeyIndex((path) => objects.localPath(path));
  const partsOf = async (merged: typeof young) =>
    (await Promise.all(merged.map((run) => index.sectionsOf(run)))).flat();
  const parts = (await partsOf(young)).filter(({ section }) => !isExpired(section, nowMs));
  const isSettling = ({ section }: Part) =>
    settle !== null && isWithin(settledSpan(section, nowMs), settle.span);
  const into = settle?.into ?? [];
  const settling = settle ? [...parts.filter(isSettling), ...(await partsOf(into))] : [];
  const staying = parts.filter((part) => !isSettling(part));
  const added: NewKeyRun[] = [];
  if (settle) added.push(await writeRun(store, [{ span: settle.span, alike: settling }], true));
  if (staying.length > 0) added.push(await writeRun(store, limitedParts(staying, nowMs), false));
  const retired = [...young, ...into];
  await sql.begin(async (tx) => {
    await lockCatalogue(tx);
    await retireRuns(
      tx,
      retired.map((run) => run.runId),
    );
    const seq = Math.max(...retired.map((run) => run.seq));
    for (const run of added) await insertRun(tx, run, seq);
  });
  return true;
}
