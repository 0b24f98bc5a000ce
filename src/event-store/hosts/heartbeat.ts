import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { EventLog } from '../log/event-log.ts';
import { FailureLog } from '../log/failure-log.ts';
import type { Reporter } from '../store.ts';
import { databaseTime, deleteOwners, noteOwners } from './queries.ts';

const EVERY_MS = SECOND_MS;
/** A request's receipt is stamped before its record reaches the log. */
const MARGIN_MS = SECOND_MS / 4;

/** Monotonic clock and database time, so a wrong host clock does no harm. */
export class Heartbeat {
  private readonly noted = new Set<string>();
  /** Lower bound of the database's time at monotonic `atMs`. */
  private sample: { databaseMs: number; atMs: number } | null = null;
  private beating: Promise<void> | null = null;
  private readonly faults: FailureLog;
  private readonly timer: Timer;

  constructor(
    private readonly eventLog: Pick<EventLog, 'uncompacted'>,
    private readonly deps: { sql: Sql; log: Reporter },
  ) {
    this.faults = new FailureLog(deps.log, {
      failed: 'event log heartbeat could not be written; retrying',
      works: 'event log heartbeat is written again',
    });
    this.timer = setInterval(() => void this.beat(), EVERY_MS);
    this.timer.unref();
  }

  /** Never throws: intake works without PostgreSQL. */
  beat(): Promise<void> {
    this.beating ??= this.note()
      .then(() => this.faults.worked())
      .catch((thrown: unknown) => this.faults.failed(thrown, 'warn'))
      .finally(() => {
        this.beating = null;
      });
    return this.beating;
  }

  abandon(): void {
    clearInterval(this.timer);
  }

  async stop(): Promise<void> {
    this.abandon();
    await this.beating;
    await this.beat();
  }

  private async note(): Promise<void> {
    const { sql } = this.deps;
    const { ownerIds, sinceMs } = await this.eventLog.uncompacted();
    this.sample ??= this.sampled(await databaseTime(sql));
    const { databaseMs, atMs } = this.sample;
    const through = new Date(databaseMs + (sinceMs - atMs) - MARGIN_MS);
    const now = await noteOwners(sql, ownerIds, through);
    if (now) this.sample = this.sampled(now);
    const gone = [...this.noted].filter((id) => !ownerIds.includes(id));
    await deleteOwners(sql, gone);
    for (const id of gone) this.noted.delete(id);
    for (const id of ownerIds) this.noted.add(id);
  }

  private sampled(databaseNow: Date) {
    return { databaseMs: databaseNow.getTime(), atMs: performance.now() };
  }
}
