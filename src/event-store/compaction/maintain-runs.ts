import { open } from 'node:fs/promises';
import { at } from '../../shared/assert.ts';
import { newId } from '../../shared/ids.ts';
import * as catalogue from '../catalogue/queries.ts';
import { type KeyedTimes, KeyIndex, type KeyRunInfo, toSentHour } from '../dedup/key-index.ts';
import { KeyRun, mergeKeyRuns, packKeys } from '../dedup/key-run.ts';
import { expiredRuns, isExpired, type KeyMerge, nextMerge } from '../dedup/plan.ts';
import {
  isWithin,
  limitSpans,
  type Section,
  type Span,
  settledSpan,
  spanName,
  toSpan,
} from '../dedup/sections.ts';
import type { NewKeyRun } from '../file/event-file.ts';
import { keyRunName } from '../objects/names.ts';
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

type RunKind = Pick<NewKeyRun, 'settled' | 'importId'>;

async function writeRun(
  { objects, clock }: Omit<EventStore, 'sql'>,
  parts: ReturnType<typeof groupParts>,
  kind: RunKind,
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
    ...kind,
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
    const span = toSpan(sentHour, receivedMs, nowMs);
    const name = spanName(span);
    const none = { span, hexKeys: [], minReceivedMs: Infinity, maxReceivedMs: -Infinity };
    const group = groups.get(name) ?? none;
    groups.set(name, group);
    return group;
  };
  // Most rows were sent within one hour.
  const bySentHour = new Map<number, Group>();
  for (const row of rows) {
    if (row.key === null) continue;
    const receivedMs = row.receivedAtUs / 1_000;
    const sentHour = toSentHour(row);
    const known = sentHour === null ? undefined : bySentHour.get(sentHour);
    const group = known ?? groupOf(sentHour, receivedMs);
    if (sentHour !== null) bySentHour.set(sentHour, group);
    group.hexKeys.push(row.key);
    group.minReceivedMs = Math.min(group.minReceivedMs, receivedMs);
    group.maxReceivedMs = Math.max(group.maxReceivedMs, receivedMs);
  }
  return [...groups.values()];
}

export async function writeKeyRun(
  store: Omit<EventStore, 'sql'>,
  rows: readonly KeyedTimes[],
  importId: string | null = null,
): Promise<NewKeyRun | null> {
  const nowMs = store.clock().getTime();
  const parts = groupBySpan(rows, nowMs).map(({ span, hexKeys, ...times }): Part => {
    const keys = KeyRun.of(packKeys(hexKeys));
    return { section: { ...span, keys: keys.count, ...times }, keys };
  });
  if (parts.length === 0) return null;
  return writeRun(store, limitedParts(parts, nowMs), { settled: false, importId });
}

type RunMerge = KeyMerge & { importId: string | null };

/** Runs of one import never merge with others. */
function planMerge(runs: readonly KeyRunInfo[], nowMs: number): RunMerge | null {
  for (const [importId, group] of Map.groupBy(runs, (run) => run.importId)) {
    const merge = nextMerge(group, nowMs);
    if (merge) return { ...merge, importId };
  }
  return null;
}

async function writeMerged(
  store: EventStore,
  { young, settle, importId }: RunMerge,
  nowMs: number,
): Promise<NewKeyRun[]> {
  const index = new KeyIndex((path, part) => store.objects.localPath(path, { part, when: 'anew' }));
  const partsOf = async (merged: typeof young) =>
    (await Promise.all(merged.map((run) => index.sectionsOf(run)))).flat();
  const parts = (await partsOf(young)).filter(({ section }) => !isExpired(section, nowMs));
  const isSettling = ({ section }: Part) =>
    settle !== null && isWithin(settledSpan(section, nowMs), settle.span);
  const added: NewKeyRun[] = [];
  if (settle) {
    const settling = [...parts.filter(isSettling), ...(await partsOf(settle.into))];
    const settled = { settled: true, importId };
    added.push(await writeRun(store, [{ span: settle.span, alike: settling }], settled));
  }
  const staying = parts.filter((part) => !isSettling(part));
  if (staying.length > 0) {
    const kept = { settled: false, importId };
    added.push(await writeRun(store, limitedParts(staying, nowMs), kept));
  }
  return added;
}

/** Changes nothing when an undone import retired a run meanwhile. */
export async function maintainRuns(store: EventStore): Promise<boolean> {
  const { sql, objects, clock } = store;
  const nowMs = clock().getTime();
  const runs = await catalogue.liveRuns(sql);
  const expired = new Set(expiredRuns(runs, nowMs).map((run) => run.runId));
  if (expired.size > 0) await sql.begin((tx) => catalogue.retireRuns(tx, [...expired]));
  const merge = planMerge(
    runs.filter((run) => !expired.has(run.runId)),
    nowMs,
  );
  if (merge === null) return false;
  const added = await writeMerged(store, merge, nowMs);
  const retired = [...merge.young, ...(merge.settle?.into ?? [])];
  try {
    await sql.begin(async (tx) => {
      await catalogue.lockCatalogue(tx);
      await catalogue.retireRuns(
        tx,
        retired.map((run) => run.runId),
      );
      const seq = Math.max(...retired.map((run) => run.seq));
      for (const run of added) await catalogue.insertRun(tx, run, seq);
    });
    return true;
  } catch (error) {
    if (catalogue.isUncommitted(error)) for (const { path } of added) await objects.remove(path);
    if (!(error instanceof catalogue.CatalogueMoved)) throw error;
    return false;
  }
}
