import type { DuckDBInstance } from '@duckdb/node-api';
import type { HotEvents } from '../event-store/read.ts';
import type { AppScope } from '../shared/app.ts';
import { limitConcurrency } from '../shared/concurrency.ts';
import { DEFAULT_SCOPE, isInScope } from '../shared/environment.ts';
import { SECOND_MS } from '../shared/time.ts';
import { TimeoutError, withTimeout } from '../shared/timeout.ts';
import { keepInterrupting } from '../storage/duckdb.ts';
import { UnfinishedRead } from '../storage/read-chunks.ts';
import { QueryFailure, toQueryFailure } from './failure/failure.ts';
import { findMembers, memberNeeds, selectionOfPeople } from './memberships.ts';
import { checkFooters } from './reading/duckdb/footers.ts';
import { loadTables } from './reading/duckdb/tables.ts';
import type { Needs, QueryRun } from './reading/run.ts';
import { type EventSource, selectEvents } from './reading/source/events.ts';
import type { CountingThreads } from './reading/threads/threads.ts';
import type { Lane } from './schedule/places.ts';
import { PLACES } from './schedule/schedules.ts';
import { type Asker, Slots } from './schedule/slots.ts';
import type { AppSelection } from './selection/selection.ts';
import { loadTraits, sourceOfTraits } from './traits.ts';

/** DuckDB checks for an interrupt between vectors. */
const STUCK_AFTER_LOOKS = 10;

export type EngineOptions = {
  duck: DuckDBInstance;
  hot: Pick<HotEvents, 'snapshot'>;
  timeoutMs: number;
  /** Called for a query that an interrupt did not end: the process has to exit. */
  onStuck: () => void;
  threads?: CountingThreads;
  noteUse?: (scope: AppScope, props: readonly string[]) => void;
};

type Use<T> = (run: QueryRun) => Promise<T>;

export type QueryRunner = {
  run: <T>(selection: AppSelection, needs: Needs, use: Use<T>) => Promise<T>;
};

/** PostgreSQL keeps no other text. */
const isNameOfRow = (prop: string): boolean => !prop.includes('\u0000');

const NOBODY_LEAVES = new AbortController().signal;

function settledValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

async function settleUses(sources: readonly EventSource[]): Promise<void> {
  for (const { uses } of sources) await uses?.settle();
}

const causeOf = (failure: unknown, sources: readonly EventSource[]): Promise<unknown> =>
  settleUses(sources).then(
    () => failure,
    (damage: unknown) => damage,
  );

export class QueryEngine implements QueryRunner {
  readonly #options: EngineOptions;
  readonly #slots = { long: new Slots(PLACES.long), short: new Slots(PLACES.short) };
  readonly #alone = limitConcurrency(1);
  #begun = 0;
  #running = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  until(signal: AbortSignal, lane: Lane = 'long', asker: Asker = 'people'): QueryRunner {
    return {
      run: (selection, needs, use) => this.run(selection, needs, use, { signal, lane, asker }),
    };
  }

  /** Out of memory runs again alone, in its remaining time. */
  async run<T>(
    selection: AppSelection,
    needs: Needs,
    use: Use<T>,
    {
      signal = NOBODY_LEAVES,
      lane = 'long',
      asker = 'people',
    }: { signal?: AbortSignal; lane?: Lane; asker?: Asker } = {},
  ): Promise<T> {
    let endsAt = Number.POSITIVE_INFINITY;
    let wasAlone = true;
    const runNow = async (): Promise<T> => {
      endsAt = Math.min(endsAt, performance.now() + this.#options.timeoutMs);
      this.#begun += 1;
      this.#running += 1;
      const [begun, running] = [this.#begun, this.#running];
      try {
        return await this.#runNow(selection, needs, use, { endsAt, signal });
      } finally {
        this.#running -= 1;
        wasAlone = running === 1 && begun === this.#begun;
      }
    };
    try {
      return await this.#slots[lane].run(asker, runNow);
    } catch (thrown) {
      if (wasAlone || !(thrown instanceof QueryFailure) || thrown.kind !== 'memory') throw thrown;
      const takeRest = (slots: number): Promise<T> =>
        this.#slots.long.run('people', () => (slots === 1 ? runNow() : takeRest(slots - 1)));
      return this.#alone(() => takeRest(PLACES.long));
    }
  }

  async #runNow<T>(
    selection: AppSelection,
    needs: Needs,
    use: Use<T>,
    { endsAt, signal }: { endsAt: number; signal: AbortSignal },
  ): Promise<T> {
    const { duck, onStuck, threads = null } = this.#options;
    const timers: Timer[] = [];
    const checkTime = () => {
      if (signal.aborted) throw new QueryFailure('stopped', 'Its asker has left.');
      if (performance.now() > endsAt) throw new QueryFailure('timeout', 'The timeout has passed.');
    };
    checkTime();
    const { memberships = [], traits = [] } = selection;
    const ofPeople = selectionOfPeople(selection);
    const read = (some: AppSelection, needs: Needs) =>
      this.#readInTime(some, needs, endsAt - performance.now());
    const [connected, foundEvents, foundPeople] = await Promise.allSettled([
      duck.connect(),
      read(sourceOfTraits(selection), needs),
      ofPeople && read(ofPeople, memberNeeds(memberships)),
    ]);
    const connection = settledValue(connected);
    const interrupt = () => {
      timers.push(keepInterrupting(connection));
    };
    const sources: EventSource[] = [];
    try {
      const source = settledValue(foundEvents);
      const all = settledValue(foundPeople);
      checkTime();
      const leftMs = endsAt - performance.now();
      const end = () => {
        interrupt();
        // By turns: one may take long.
        let looks = 0;
        const look = () => {
          looks += 1;
          if (looks > STUCK_AFTER_LOOKS) onStuck();
        };
        timers.push(setInterval(look, SECOND_MS));
      };
      timers.push(setTimeout(end, Math.ceil(leftMs)));
      signal.addEventListener('abort', interrupt, { once: true });
      const noteUse = (props: readonly string[]) =>
        this.#options.noteUse?.(source, props.filter(isNameOfRow));
      const counting = { connection, checkTime, threads, noteUse };
      const ofQuestion = source;
      sources.push(source, ...(all === null ? [] : [all]));
      for (const one of sources) await checkFooters(connection, one);
      const found =
        all && (await findMembers(counting, { ofMembers: all, ofQuestion }, memberships));
      let loaded: Promise<void> | null = null;
      const events = selectEvents(source, selection);
      const columns = [...needs.columns, ...events.sql.columns];
      const { names } = selection;
      const loadAll = async (some: EventSource) => {
        await found?.load();
        await loadTraits(connection, source, traits);
        await loadTables(connection, some, { columns, ...(names && { names }) });
      };
      const load = (some = source) => {
        loaded ??= loadAll(some);
        return loaded;
      };
      if (!needs.projections) await load();
      checkTime();
      const answer = await use({ ...events, ...counting, load, members: found?.members ?? {} });
      await settleUses(sources);
      return answer;
    } catch (failure) {
      if (signal.aborted) throw new QueryFailure('stopped', 'Its asker has left.', failure);
      const thrown = performance.now() > endsAt ? failure : await causeOf(failure, sources);
      if (!(thrown instanceof UnfinishedRead)) throw toQueryFailure(thrown);
      checkTime();
      throw new QueryFailure('stopped', thrown.message, thrown);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }

  async #readInTime(
    selection: AppSelection,
    needs: Needs,
    timeoutMs: number,
  ): Promise<EventSource> {
    let isFetching = false;
    const onFetch = () => {
      isFetching = true;
    };
    try {
      return await withTimeout(this.#read(selection, needs, onFetch), timeoutMs);
    } catch (thrown) {
      if (!(thrown instanceof TimeoutError)) throw thrown;
      throw isFetching
        ? new QueryFailure('fetching', 'Event files are being fetched.', thrown)
        : new QueryFailure('timeout', 'The catalogue and the log were not read in time.', thrown);
    }
  }

  async #read(
    { orgId, appId, fromUs = 0, beforeUs, environment = DEFAULT_SCOPE, newest }: AppSelection,
    { counts = false, projections = false, properties = [] }: Needs,
    onFetch: () => void,
  ): Promise<EventSource> {
    const sourceWindow = {
      orgId,
      appId,
      fromMs: Math.floor(fromUs / 1_000),
      toMs: Math.ceil(beforeUs / 1_000),
      withCounts: counts,
      ...(projections && { withProjections: true, properties: properties.filter(isNameOfRow) }),
      ...(newest !== undefined && { newest }),
    };
    const snapshot = await this.#options.hot.snapshot(sourceWindow, { onFetch });
    return {
      orgId,
      appId,
      environment,
      files: snapshot.files,
      uses: snapshot.uses,
      hotRows: snapshot.hotRows.filter((row) => isInScope(row.environment, environment)),
      lateAliases: snapshot.lateAliases,
      sharesIds: snapshot.sharesIds,
      erased: snapshot.erased,
      erasedAs: snapshot.erasedAs,
      dataThroughMs: snapshot.dataThrough.getTime(),
    };
  }
}
