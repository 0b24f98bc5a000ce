import { limitConcurrency } from '../../shared/concurrency.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { writeDurably } from '../../storage/files.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';
import { catalogued } from '../catalogue/queries.ts';
import { FailureLog } from '../log/failure-log.ts';
import { isOwnerAlive, ownersIn } from '../log/owner.ts';
import { listSegments, segmentOwner, segmentPath } from '../log/segments.ts';
import { SEGMENT_COPIES, segmentCopyName, toSegmentId } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { claimOwner, finishAdoption, type HostRow, listHosts, noteCompactor } from './queries.ts';

/** Without a heartbeat this long, a host is lost. */
const SILENT_MS = MINUTE_MS;
const MAX_FETCHED = 256;
const TRANSFERS_AT_ONCE = 8;
const LOOK_EVERY_MS = 10 * SECOND_MS;

type Candidate = { ownerId: string; silentSince: string | null };

/** A row claims each lost owner for one adopter. */
export class Adopter {
  private readonly id = crypto.randomUUID();
  private signs = new Map<string, { sign: string | null; sinceMs: number }>();

  constructor(
    private readonly compactor: Compactor,
    private readonly silentMs = SILENT_MS,
  ) {}

  async look(): Promise<number> {
    const { sql, objects } = this.compactor;
    try {
      await this.speakForThisHost();
      const hosts = await listHosts(sql, this.id);
      const copies = objects.isRemote ? await objects.list(SEGMENT_COPIES) : [];
      const byOwner = Map.groupBy(
        copies.map(({ key }) => toSegmentId(key)),
        segmentOwner,
      );
      let fetched = 0;
      for (const candidate of this.candidates(hosts, byOwner)) {
        const segmentIds = byOwner.get(candidate.ownerId) ?? [];
        fetched += await this.adopt(candidate, segmentIds.slice(0, MAX_FETCHED - fetched));
        if (fetched >= MAX_FETCHED) break;
      }
      return fetched;
    } catch (thrown) {
      // An outage of the database hides heartbeats.
      this.signs = new Map();
      throw thrown;
    }
  }

  /** By this process's own monotonic clock. */
  private candidates(
    hosts: readonly HostRow[],
    copies: ReadonlyMap<string, readonly string[]>,
  ): Candidate[] {
    const known = new Set(hosts.map(({ ownerId }) => ownerId));
    const unknown = [...copies.keys()].filter((ownerId) => !known.has(ownerId));
    const seen = this.signs;
    this.signs = new Map();
    const isOld = (key: string, sign: string | null) => {
      const before = seen.get(key);
      const kept = before?.sign === sign ? before : { sign, sinceMs: performance.now() };
      this.signs.set(key, kept);
      return performance.now() - kept.sinceMs >= this.silentMs;
    };
    const candidates: Candidate[] = [];
    for (const { ownerId, seenAt, compactorSeenAt, isUnknown } of hosts) {
      const isSilent = isOld(`owner ${ownerId}`, seenAt) || isUnknown;
      const isUncompacted = isOld(`compactor ${ownerId}`, compactorSeenAt) && copies.has(ownerId);
      if (isSilent) candidates.push({ ownerId, silentSince: seenAt });
      else if (isUncompacted) candidates.push({ ownerId, silentSince: null });
    }
    for (const ownerId of unknown) {
      if (isOld(`copies ${ownerId}`, null)) candidates.push({ ownerId, silentSince: null });
    }
    return candidates;
  }

  /** Dead processes of this host need no adopter then. */
  private async speakForThisHost(): Promise<void> {
    const { sql, logDir } = this.compactor;
    const alive: string[] = [];
    const dead: string[] = [];
    for (const ownerId of await ownersIn(logDir)) {
      ((await isOwnerAlive(logDir, ownerId)) ? alive : dead).push(ownerId);
    }
    await noteCompactor(sql, this.id, { alive, dead });
  }

  private async adopt(candidate: Candidate, segmentIds: readonly string[]): Promise<number> {
    const { sql, logDir, log } = this.compactor;
    if (!(await claimOwner(sql, candidate.ownerId, this.id))) return 0;
    const here = new Set((await listSegments(logDir)).map(({ segmentId }) => segmentId));
    const done = await catalogued(sql, segmentIds);
    await deleteShippedCopies(this.compactor, [...done]);
    const waiting = segmentIds.filter((segmentId) => !done.has(segmentId));
    const limited = limitConcurrency(TRANSFERS_AT_ONCE);
    const fetched = await Promise.all(
      waiting
        .filter((segmentId) => !here.has(segmentId))
        .map((segmentId) => limited(() => this.fetch(segmentId))),
    );
    const isHere = [...here].some((segmentId) => segmentOwner(segmentId) === candidate.ownerId);
    if (waiting.length === 0 && !isHere) await finishAdoption(sql, candidate, this.id);
    const segments = fetched.filter(Boolean).length;
    if (segments > 0) {
      log.warn({ owner: candidate.ownerId, segments }, 'adopted the event log of another host');
    }
    return segments;
  }

  private async fetch(segmentId: string): Promise<boolean> {
    const { objects, logDir } = this.compactor;
    const bytes = await objects.getBytes(segmentCopyName(segmentId));
    if (bytes !== null) await writeDurably(segmentPath(logDir, segmentId), bytes);
    return bytes !== null;
  }
}

export async function adoptForever(compactor: Compactor, signal: AbortSignal): Promise<void> {
  const adopter = new Adopter(compactor);
  const faults = new FailureLog(compactor.log, {
    failed: 'other hosts could not be checked; retrying',
    works: 'other hosts are checked again',
  });
  while (!signal.aborted) {
    await adopter.look().then(
      () => faults.worked(),
      (error: unknown) => faults.failed(error, isDatabaseUnavailable(error) ? 'warn' : 'error'),
    );
    await sleep(LOOK_EVERY_MS, signal);
  }
}

export async function deleteShippedCopies(
  { objects }: Pick<Compactor, 'objects'>,
  segmentIds: readonly string[],
): Promise<void> {
  if (!objects.isRemote) return;
  const limited = limitConcurrency(TRANSFERS_AT_ONCE);
  await Promise.all(
    segmentIds.map((segmentId) => limited(() => objects.remove(segmentCopyName(segmentId)))),
  );
}
