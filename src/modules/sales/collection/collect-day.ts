import type { Deps } from '../../../context.ts';
import type { Report, ReportAnswer, ReportType, StoreKey } from '../../../providers/store/port.ts';
import { ReportFormatError, StoreFault } from '../../../providers/store/port.ts';
import { pacificDay } from '../../../shared/pacific.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { answerOfRows, type DayAnswer, nextDay, toDayAnswer } from '../days/day-state.ts';
import { packDay } from '../days/packs-queries.ts';
import type { ReportDay } from '../days/plan.ts';
import * as queries from '../days/queries.ts';
import { keepRawReport } from './raw-reports.ts';

const FIRST_VERSIONS: Readonly<Record<ReportType, string>> = {
  SALES: '1_0',
  SUBSCRIPTION_EVENT: '1_3',
  SUBSCRIPTION: '1_4',
};

type FetchOutcome =
  | { report: null; answer: DayAnswer; error: string | null }
  | { report: Report; contentHash: string };

async function toOutcome(answer: ReportAnswer): Promise<FetchOutcome> {
  if (answer.kind === 'report') {
    return { report: answer.report, contentHash: await answer.report.contentHash() };
  }
  const error = answer.kind === 'unclear' ? `The store answered 404: ${answer.detail}` : null;
  return { report: null, answer: toDayAnswer(answer.kind), error };
}

const failure = ({ reportType, day }: queries.DayScope, { message }: Error) =>
  ({ report: null, answer: 'failed', error: `${reportType} ${day}: ${message}` }) as const;

function outcomeOfFault(scope: queries.DayScope, thrown: unknown): FetchOutcome {
  if (!(thrown instanceof StoreFault)) throw thrown;
  // For subscription reports of a valid vendor without data, too.
  if (thrown.kind === 'vendor' && scope.reportType !== 'SALES') {
    return { report: null, answer: 'unclear', error: null };
  }
  if (thrown.kind !== 'protocol' && thrown.kind !== 'not_found') throw thrown;
  return failure(scope, thrown);
}

async function replaceFacts(tx: Tx, scope: queries.DayScope, report: Report): Promise<number> {
  return report.holds === 'sales'
    ? replaceRows(tx, scope, report.facts(), queries.insertFacts)
    : replaceRows(tx, scope, report.facts(), queries.insertSubscriptions);
}

async function replaceRows<Fact>(
  tx: Tx,
  scope: queries.DayScope,
  pieces: AsyncIterable<Fact[]>,
  insert: (tx: Tx, scope: queries.DayScope, facts: Fact[]) => Promise<void>,
): Promise<number> {
  let rows = 0;
  for await (const facts of pieces) {
    if (facts.length === 0) continue;
    if (rows === 0) await queries.deleteFacts(tx, scope);
    rows += facts.length;
    await insert(tx, scope, facts);
  }
  return rows;
}

async function writeDay(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  scope: queries.DayScope,
  outcome: FetchOutcome,
) {
  const now = deps.clock();
  const record = await queries.selectDayForUpdate(tx, scope);
  const { report } = outcome;
  const contentHash = report ? outcome.contentHash : null;
  const unchanged = report !== null && record?.contentHash === contentHash && record.storedRows > 0;
  const rows = report && !unchanged ? await replaceFacts(tx, scope, report) : 0;
  const answer = report ? answerOfRows(unchanged || rows > 0) : outcome.answer;
  const change = nextDay(answer, { record, day: scope.day, today: pacificDay(now), now });
  const clear = change.rows === 'clear' && record !== null && record.storedRows > 0;
  if (clear) await queries.deleteFacts(tx, scope);
  const rewritten = rows > 0 || clear;
  await queries.upsertDay(tx, scope, {
    state: change.state,
    checkedAt: now,
    emptySeenAt: change.emptySeenAt,
    lastError: report ? null : outcome.error,
    facts: rewritten ? { contentHash, rows } : undefined,
  });
  if (rewritten && scope.reportType !== 'SUBSCRIPTION') await packDay(tx, scope);
  return rows;
}

type Stored = { rowsWritten: number; error: string | null };

/** A partly unreadable report fails its day. */
async function storeDay(
  deps: Pick<Deps, 'clock' | 'sql'>,
  scope: queries.DayScope,
  outcome: FetchOutcome,
): Promise<Stored> {
  const write = (result: FetchOutcome) => deps.sql.begin((tx) => writeDay(deps, tx, scope, result));
  try {
    const rowsWritten = await write(outcome);
    const failed = !outcome.report && outcome.answer === 'failed';
    return { rowsWritten, error: failed ? outcome.error : null };
  } catch (thrown) {
    if (!(thrown instanceof ReportFormatError)) throw thrown;
    const failed = failure(scope, thrown);
    await write(failed);
    return { rowsWritten: 0, error: failed.error };
  }
}

async function keepOutcome(
  deps: Pick<Deps, 'clock' | 'objects' | 'sql'>,
  scope: queries.DayScope,
  outcome: FetchOutcome,
): Promise<Stored> {
  if (outcome.report) {
    const { contentHash: hash, report } = outcome;
    await keepRawReport(deps.objects, { orgId: scope.orgId, hash, raw: report.raw });
  }
  return storeDay(deps, scope, outcome);
}

export async function recordReport(
  deps: Pick<Deps, 'clock' | 'objects' | 'sql'>,
  scope: queries.DayScope,
  answer: ReportAnswer,
): Promise<Stored> {
  return keepOutcome(deps, scope, await toOutcome(answer));
}

export type CollectedDay = Stored & {
  requests: number;
  remainingInHour: number | null;
  /** The accepted version, when it differs from the requested one. */
  version: string | null;
};

export async function recordFault(
  deps: Pick<Deps, 'clock' | 'objects' | 'sql'>,
  scope: queries.DayScope,
  fault: StoreFault,
): Promise<CollectedDay> {
  const stored = await keepOutcome(deps, scope, failure(scope, fault));
  return { ...stored, requests: 1, remainingInHour: null, version: null };
}

/** Throws StoreFault for faults of the key. */
export async function collectDay(
  deps: Pick<Deps, 'clock' | 'objects' | 'sql' | 'store'>,
  key: StoreKey,
  scope: queries.DayScope & ReportDay,
  versions: Readonly<Record<string, string>>,
): Promise<CollectedDay> {
  const version = versions[scope.reportType] ?? FIRST_VERSIONS[scope.reportType];
  let answer: ReportAnswer | null = null;
  let outcome: FetchOutcome;
  try {
    answer = await deps.store.dailyReport(key, { ...scope, version });
    outcome = await toOutcome(answer);
  } catch (thrown) {
    outcome = outcomeOfFault(scope, thrown);
  }
  const worked = answer?.kind === 'report' ? answer.version : null;
  return {
    ...(await keepOutcome(deps, scope, outcome)),
    requests: answer?.requests ?? 1,
    remainingInHour: answer?.remainingInHour ?? null,
    version: worked === version ? null : worked,
  };
}
