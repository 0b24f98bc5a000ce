import type { Deps } from '../../context.ts';
import type { AppReportFact, StoreKey } from '../../providers/store/port.ts';
import { ReportFormatError, StoreFault } from '../../providers/store/port.ts';
import { pacificDay } from '../../shared/pacific.ts';
import { lockSubject } from '../../storage/locks.ts';
import { answerOfRows, type DayRecord, nextDay } from '../sales/index.ts';
import * as queries from './facts-queries.ts';

const FACTS_MAX = 250_000;

export type Collecting = {
  deps: Pick<Deps, 'clock' | 'log' | 'sql' | 'store'>;
  key: StoreKey;
};

type Read = { facts: AppReportFact[]; isChecksumRight: boolean };
type Found = { instanceId: string; record: DayRecord | null };

const OTHER_CHECKSUM =
  'A segment’s checksum is not that of its bytes; it was taken, since it unpacks.';

/** Sums of what is kept; null while the store has made no segment yet. */
async function readInstance(
  { deps, key }: Collecting,
  { report, storeAppId }: queries.InstanceScope,
  instanceId: string,
): Promise<Read | null> {
  const segments = await deps.store.appReportSegments(key, instanceId);
  if (segments.length === 0) return null;
  const sums = new Map<string, AppReportFact>();
  let isChecksumRight = true;
  for (const segment of segments) {
    const file = await deps.store.appReportFile(segment);
    isChecksumRight &&= file.isChecksumRight;
    for await (const facts of deps.store.appReportFacts(report, storeAppId, file.raw)) {
      for (const fact of facts) {
        const { count, seconds, ...words } = fact;
        const id = JSON.stringify(words);
        const sum = sums.get(id);
        if (sum) {
          sum.count += count;
          sum.seconds += seconds;
        } else sums.set(id, fact);
      }
      if (sums.size > FACTS_MAX) throw new ReportFormatError(`Over ${FACTS_MAX} different rows.`);
    }
  }
  return { facts: [...sums.values()], isChecksumRight };
}

const isUnreadable = (thrown: unknown): thrown is Error =>
  thrown instanceof ReportFormatError ||
  (thrown instanceof StoreFault && thrown.kind === 'protocol');

/** All of a file or nothing: a day is never half of one file. */
export async function storeInstance(
  at: Collecting,
  scope: queries.InstanceScope,
  { instanceId, record }: Found,
): Promise<void> {
  const { deps } = at;
  const now = deps.clock();
  const situation = { record, day: scope.processingDate, today: pacificDay(now), now };
  let read: Read | null;
  try {
    read = await readInstance(at, scope, instanceId);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    const change = nextDay('failed', situation);
    await queries.upsertInstance(deps.sql, scope, { change, at: now, error: thrown.message });
    throw thrown;
  }
  const facts = read?.facts ?? [];
  const change = nextDay(read ? answerOfRows(facts.length > 0) : 'not_yet', situation);
  const error = read?.isChecksumRight === false ? OTHER_CHECKSUM : null;
  if (error) deps.log.warn({ ...scope }, error);
  await recordFacts(deps, scope, facts, { change, at: now, error });
}

export async function recordFacts(
  { sql }: Pick<Deps, 'sql'>,
  scope: queries.InstanceScope,
  facts: readonly AppReportFact[],
  instance: queries.InstanceRecord,
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockSubject(tx, 'storeDay', `${scope.orgId}/${scope.storeAppId}/${scope.report}`);
    const days = await queries.takeDays(tx, scope, [...new Set(facts.map(({ day }) => day))]);
    const taken = facts.filter(({ day }) => days.has(day));
    if (taken.length > 0) await queries.replaceFacts(tx, scope, days, taken);
    await queries.upsertInstance(tx, scope, instance);
  });
}
