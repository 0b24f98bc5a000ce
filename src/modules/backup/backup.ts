import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../config.ts';
import type { SystemContext } from '../../context.ts';
import * as eventStore from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { SECOND_MS, toIso } from '../../shared/time.ts';
import { dumpDatabase } from '../../storage/dump/dump.ts';
import { makeFolder, namesIn } from '../../storage/files.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Db, Sql, Tx } from '../../storage/postgres.ts';
import { copyMissing, namedObjects, resolveAddress, withCopier } from './event-files.ts';
import { copyDurably, copySegments, copyShipped } from './files.ts';
import { LeftOut } from './left-out.ts';
import { FOLDERS, type KeptFile, type Manifest, writeManifest } from './manifest.ts';
import { inMegabytes, type Reporting, reportTables } from './progress.ts';
import { snapshot } from './queries.ts';
import { describeFiles } from './verify.ts';

const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = (LEASE_SECONDS / 4) * SECOND_MS;
const NO_ORGANIZATION = '';

/** Replaced event files stay. */
async function withLease<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const leaseId = await eventStore.insertLease(sql, NO_ORGANIZATION, LEASE_SECONDS);
  const renewal = setInterval(
    () => void eventStore.renewLease(sql, leaseId, LEASE_SECONDS).catch(() => undefined),
    RENEW_EVERY_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await eventStore.deleteLease(sql, leaseId);
  }
}

async function makeEmptyFolder(dir: string): Promise<void> {
  makeFolder(dir);
  if ((await namesIn(dir)).length > 0) {
    throw new AppError('conflict', `${dir} is not empty.`, { hint: 'Name a new folder.' });
  }
}

type Options = Reporting & {
  filesTo?: string | undefined;
};

async function copyFolder(
  tx: Tx,
  objects: ObjectStore,
  to: string,
  { leftOut, report, signal }: Reporting & { leftOut: LeftOut },
): Promise<string[]> {
  const copied: string[] = [];
  const listed = await objects.list('');
  const sums = await eventStore.sumsOf(
    tx,
    listed.map(({ key }) => key),
  );
  let bytes = 0;
  for (const { key, bytes: size } of listed) {
    signal?.throwIfAborted();
    // A restored installation rebuilds projections.
    if (key === eventStore.MARKER_KEY || key.startsWith(eventStore.PROJECTIONS)) continue;
    const from = await objects.localPath(key, { when: 'never' });
    const path = join(to, key);
    let isThere = false;
    const copy = async () => {
      isThere = await copyDurably(from, path);
      if (isThere) await eventStore.copyCheck(sums)(key, path);
    };
    const isWhole = await leftOut.holds(key, copy, () => eventStore.copyCheck(sums)(key, from));
    if (!isWhole) await rm(path, { force: true });
    if (!isWhole || !isThere) continue;
    copied.push(key);
    bytes += size;
    report?.(`files: ${copied.length} of ${listed.length}, ${inMegabytes(bytes)}`);
  }
  return copied;
}

async function copyBucket(
  db: Db,
  config: Config,
  to: string,
  reporting: Reporting & { leftOut: LeftOut },
): Promise<KeptFile[]> {
  return withCopier(config, { from: config.events.url, to }, async (copier) => {
    const named = await namedObjects(db, copier.source);
    const sums = await eventStore.sumsOf(
      db,
      named.map(({ key }) => key),
    );
    const { without } = await copyMissing(copier, named, {
      ...reporting,
      check: eventStore.copyCheck(sums),
    });
    const held = named.filter(({ key }) => !without.has(key));
    return held.map(({ key, bytes }) => {
      const stored = sums.get(key);
      return { key, bytes, ...(stored && { sums: stored.sums.toString('base64') }) };
    });
  });
}

function placeOfFiles(dir: string, filesTo: string | undefined) {
  if (filesTo === undefined) {
    const address = pathToFileURL(join(dir, FOLDERS.objects)).href;
    const name = (files: KeptFile[]) => ({ objects: files.map(({ key }) => key) });
    return { address, name };
  }
  const name = (files: KeptFile[]) => ({ objects: null, kept: { at: filesTo, files } });
  return { address: resolveAddress(dir, filesTo), name };
}

async function writeAll(
  { deps }: SystemContext<'clock' | 'config' | 'objects' | 'sql'>,
  dir: string,
  { filesTo, ...reporting }: Options,
): Promise<Manifest> {
  const { config, clock, objects, sql } = deps;
  const beganAt = toIso(clock());
  const log = join(dir, FOLDERS.log);
  const local = await copySegments(config.events.logDir, log);
  const segments = [...local, ...(await copyShipped(objects, log, local))];
  reporting.report?.(`event log: ${segments.length} segments`);
  const place = placeOfFiles(dir, filesTo);
  // Most files before the transaction, to keep it short.
  const leftOut = new LeftOut();
  const options = { ...reporting, leftOut };
  if (objects.isRemote) await copyBucket(sql, config, place.address, options);
  const folder = join(dir, FOLDERS.database);
  const { dump, result } = await dumpDatabase(
    sql,
    folder,
    async (tx) => {
      const cut = await snapshot(tx);
      if (!objects.isRemote) {
        const copied = await copyFolder(tx, objects, join(dir, FOLDERS.objects), options);
        return { ...cut, files: { objects: copied }, without: await leftOut.settle(tx, copied) };
      }
      const kept = await copyBucket(tx, config, place.address, options);
      const keys = kept.map(({ key }) => key);
      return { ...cut, files: place.name(kept), without: await leftOut.settle(tx, keys) };
    },
    reportTables(reporting),
  );
  await leftOut.note(sql);
  const { snapshotAt, catalogueSeq, without } = result;
  return {
    format: 2,
    createdAt: beganAt,
    cut: { beganAt, snapshotAt: toIso(snapshotAt), catalogueSeq, endedAt: toIso(clock()) },
    database: dump,
    segments,
    ...result.files,
    ...(without.length > 0 && { leftOut: without }),
    eventsUrl: config.events.url,
    files: await describeFiles(dir, reporting),
  };
}

/**
 * The log first, then the database snapshot, then its catalogue's files, under a lease. Secrets
 * stay sealed. A failure empties the folder.
 */
export async function backup(
  ctx: SystemContext<'clock' | 'config' | 'objects' | 'sql'>,
  dir: string,
  options: Options = {},
): Promise<Manifest> {
  await makeEmptyFolder(dir);
  try {
    return await withLease(ctx.deps.sql, async () => {
      const manifest = await writeAll(ctx, dir, options);
      await writeManifest(dir, manifest);
      return manifest;
    });
  } catch (thrown) {
    for (const name of await namesIn(dir)) await rm(join(dir, name), { recursive: true });
    throw thrown;
  }
}
