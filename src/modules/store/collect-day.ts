import type { Deps } from '../../deps.ts';
import { StoreFault } from '../../providers/store/fault.ts';
import type { ReportAnswer, ReportType, StoreKey } from '../../providers/store/port.ts';
import type { SalesFact } from '../../providers/store/report/facts.ts';
import { parseSalesReport } from '../../providers/store/report/sales.ts';
import { parseSubscriptionEvents } from '../../providers/store/report/subscription-events.ts';
import { ReportFormatError } from '../../providers/store/report/table.ts';
import { pacificDay } from '../../shared/pacific.ts';
import { answerOf, type DayAnswer, nextDay } from './day-state.ts';
import { type DayScope, replaceFacts, selectDayForUpdate, upsertDay } from './days-store.ts';
import { keepRawReport } from './raw-reports.ts';

/** Versions to begin with; the store is believed when it asks for others. */
const FIRST_VERSIONS: Readonly<Record<ReportType, string>> = {
  SALES: '1_0',
  SUBSCRIPTION_EVENT: '1_3',
};

const PARSERS = { SALES: parseSalesReport, SUBSCRIPTION_EVENT: parseSubscriptionEvents } as const;

type ReadDay = {
  answer: DayAnswer;
  facts: SalesFact[];
  contentHash: string | null;
  error: string | null;
};

const nothing = (answer: DayAnswer, error: string | null = null): ReadDay => ({
  answer,
  facts: [],
  contentHash: null,
  error,
});

/** A report that cannot be read exactly fails its day, never a part of it. */
function readReport(scope: DayScope, text: string): ReadDay {
  try {
    const facts = PARSERS[scope.reportType](text, scope.day);
    const contentHash = new Bun.CryptoHasher('sha256').update(text).digest('hex');
    return { answer: answerOf('report', facts.length), facts, contentHash, error: null };
  } catch (thrown) {
    if (!(thrown instanceof ReportFormatError)) throw thrown;
    return nothing('failed', `${scope.reportType} ${scope.day}: ${thrown.message}`);
  }
}

function readAnswer(scope: DayScope, answer: ReportAnswer): ReadDay {
  if (answer.kind === 'report') return readReport(scope, answer.text);
  const error = answer.kind === 'unclear' ? `The store answered 404: ${answer.detail}` : null;
  return nothing(answerOf(answer.kind, 0), error);
}

/** Faults that concern this day only; the others are thrown and end the run. */
function readFault(scope: DayScope, thrown: unknown): ReadDay {
  if (!(thrown instanceof StoreFault)) throw thrown;
  // Subscription reports answer "invalid vendor number" also where a good vendor has no such data.
  if (thrown.kind === 'vendor' && scope.reportType !== 'SALES') return nothing('unclear');
  if (thrown.kind !== 'protocol' && thrown.kind !== 'not_found') throw thrown;
  return nothing('failed', `${scope.reportType} ${scope.day}: ${thrown.message}`);
}

async function storeDay(deps: Deps, scope: DayScope, read: ReadDay): Promise<number> {
  const now = deps.clock();
  return deps.sql.begin(async (tx) => {
    const record = await selectDayForUpdate(tx, scope);
    const change = nextDay(read.answer, {
      record,
      day: scope.day,
      today: pacificDay(now),
      now,
    });
    const same = change.rows === 'replace' && record?.contentHash === read.contentHash;
    const rewrite =
      !same && (change.rows === 'replace' || (change.rows === 'clear' && record !== null));
    if (rewrite) await replaceFacts(tx, scope, read.facts);
    await upsertDay(tx, scope, {
      state: change.state,
      checkedAt: now,
      emptySeenAt: change.emptySeenAt,
      lastError: read.error,
      facts: rewrite ? { contentHash: read.contentHash, rows: read.facts.length } : undefined,
    });
    return rewrite ? read.facts.length : 0;
  });
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
  let read: ReadDay;
  try {
    answer = await deps.store.dailyReport(key, { ...scope, version: known });
    read = readAnswer(scope, answer);
  } catch (thrown) {
    read = readFault(scope, thrown);
  }
  if (answer?.kind === 'report') {
    const hash =
      read.contentHash ?? new Bun.CryptoHasher('sha256').update(answer.text).digest('hex');
    await keepRawReport(deps.objects, { orgId: scope.orgId, hash, raw: answer.raw });
  }
  const version = answer?.kind === 'report' ? answer.version : null;
  return {
    rowsWritten: await storeDay(deps, scope, read),
    requests: answer?.requests ?? 1,
    remainingInHour: answer?.remainingInHour ?? null,
    version: version === known ? null : version,
    error: read.answer === 'failed' ? read.error : null,
  };
}
