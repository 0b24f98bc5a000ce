import type { Deps } from '../../../context.ts';
import { reportPieces } from '../../../providers/store/body.ts';
import { StoreFault } from '../../../providers/store/fault.ts';
import type { ReportAnswer, ReportType, StoreKey } from '../../../providers/store/port.ts';
import type { SalesFact } from '../../../providers/store/report/facts.ts';
import { salesReader } from '../../../providers/store/report/sales.ts';
import { subscriptionEventReader } from '../../../providers/store/report/subscription-events.ts';
import { ReportFormatError } from '../../../providers/store/report/table.ts';
import { pacificDay } from '../../../shared/pacific.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { packDay } from '../analytics/queries.ts';
import { answerOf, answerOfRows, type DayAnswer, nextDay } from './day-state.ts';
import {
  type DayScope,
  deleteFacts,
  insertFacts,
  selectDayForUpdate,
  upsertDay,
} from './days-queries.ts';
import { keepRawReport } from './raw-reports.ts';

/** Versions to begin with; the store is believed when it asks for others. */
const FIRST_VERSIONS: Readonly<Record<ReportType, string>> = {
  SALES: '1_0',
  SUBSCRIPTION_EVENT: '1_3',
};

const READERS = { SALES: salesReader, SUBSCRIPTION_EVENT: subscriptionEventReader } as const;

/** What came of a request: an answer about the day, or a report whose rows are still to be read. */
type Came =
  | { kind: 'answer'; answer: DayAnswer; error: string | null }
  | { kind: 'report'; raw: Uint8Array; contentHash: string };

const nothing = (answer: DayAnswer, error: string | null = null): Came => ({
  kind: 'answer',
  answer,
  error,
});

async function hashOf(raw: Uint8Array): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of reportPieces(raw)) hasher.update(piece);
  return hasher.digest('hex');
}

async function cameOf(answer: ReportAnswer): Promise<Came> {
  if (answer.kind === 'report') {
    return { kind: 'report', raw: answer.raw, contentHash: await hashOf(answer.raw) };
  }
  const error = answer.kind === 'unclear' ? `The store answered 404: ${answer.detail}` : null;
  return nothing(answerOf(answer.kind), error);
}

/** Faults that concern this day only; the others are thrown and end the run. */
function cameOfFault(scope: DayScope, thrown: unknown): Came {
  if (!(thrown instanceof StoreFault)) throw thrown;
  // Subscription reports answer "invalid vendor number" also where a good vendor has no such data.
  if (thrown.kind === 'vendor' && scope.reportType !== 'SALES') return nothing('unclear');
  if (thrown.kind !== 'protocol' && thrown.kind !== 'not_found') throw thrown;
  return nothing('failed', `${scope.reportType} ${scope.day}: ${thrown.message}`);
}

/** The rows of a report a few at a time; throws ReportFormatError. */
async function* factsOf(scope: DayScope, raw: Uint8Array): AsyncGenerator<SalesFact[]> {
  const reader = READERS[scope.reportType](scope.day);
  const decoder = new TextDecoder();
  for await (const piece of reportPieces(raw)) {
    yield reader.push(decoder.decode(piece, { stream: true }));
  }
  yield reader.push(decoder.decode());
  yield reader.end();
}

/** Puts the rows of a report in the place of the day's; gives how many there are. */
async function replaceFacts(tx: Tx, scope: DayScope, raw: Uint8Array) {
  let rows = 0;
  for await (const facts of factsOf(scope, raw)) {
    if (facts.length === 0) continue;
    // Only a report with rows takes the place of what is there.
    if (rows === 0) await deleteFacts(tx, scope);
    rows += facts.length;
    await insertFacts(tx, scope, facts);
  }
  return rows;
}

async function writeDay(deps: Deps, tx: Tx, scope: DayScope, came: Came): Promise<number> {
  const now = deps.clock();
  const record = await selectDayForUpdate(tx, scope);
  const contentHash = came.kind === 'report' ? came.contentHash : null;
  const same = contentHash !== null && record?.contentHash === contentHash && record.storedRows > 0;
  const read = came.kind === 'report' && !same;
  const rows = read ? await replaceFacts(tx, scope, came.raw) : 0;
  const answer = came.kind === 'report' ? answerOfRows(same || rows > 0) : came.answer;
  const change = nextDay(answer, { record, day: scope.day, today: pacificDay(now), now });
  const clear = change.rows === 'clear' && record !== null && record.storedRows > 0;
  if (clear) await deleteFacts(tx, scope);
  const rewritten = rows > 0 || clear;
  await upsertDay(tx, scope, {
    state: change.state,
    checkedAt: now,
    emptySeenAt: change.emptySeenAt,
    lastError: came.kind === 'report' ? null : came.error,
    facts: rewritten ? { contentHash, rows } : undefined,
  });
  if (rewritten) await packDay(tx, scope);
  return rows;
}

type Stored = { rowsWritten: number; error: string | null };

/** Stores what came, whole or not at all: a report that cannot be read exactly fails its day. */
async function storeDay(deps: Deps, scope: DayScope, came: Came): Promise<Stored> {
  const write = (what: Came) => deps.sql.begin((tx) => writeDay(deps, tx, scope, what));
  const failed = async (error: string): Promise<Stored> => {
    await write(nothing('failed', error));
    return { rowsWritten: 0, error };
  };
  try {
    const rowsWritten = await write(came);
    const error = came.kind === 'answer' && came.answer === 'failed' ? came.error : null;
    return { rowsWritten, error };
  } catch (thrown) {
    if (!(thrown instanceof ReportFormatError)) throw thrown;
    return failed(`${scope.reportType} ${scope.day}: ${thrown.message}`);
  }
}

export type CollectedDay = {
  rowsWritten: number;
  requests: number;
  remainingInHour: number | null;
  /** The version that worked, when it is another than the one that was known. */
  version: string | null;
  error: string | null;
};

/**
 * Asks for one report of one day and stores what came, atomically. Throws StoreFault for what
 * concerns the whole key.
 */
export async function collectDay(
  deps: Deps,
  key: StoreKey,
  scope: DayScope,
  versions: Readonly<Record<string, string>>,
): Promise<CollectedDay> {
  const known = versions[scope.reportType] ?? FIRST_VERSIONS[scope.reportType];
  let answer: ReportAnswer | null = null;
  let came: Came;
  try {
    answer = await deps.store.dailyReport(key, { ...scope, version: known });
    came = await cameOf(answer);
  } catch (thrown) {
    came = cameOfFault(scope, thrown);
  }
  if (came.kind === 'report') {
    await keepRawReport(deps.objects, {
      orgId: scope.orgId,
      hash: came.contentHash,
      raw: came.raw,
    });
  }
  const version = answer?.kind === 'report' ? answer.version : null;
  return {
    ...(await storeDay(deps, scope, came)),
    requests: answer?.requests ?? 1,
    remainingInHour: answer?.remainingInHour ?? null,
    version: version === known ? null : version,
  };
}
