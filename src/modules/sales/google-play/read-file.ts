import type { Deps } from '../../../context.ts';
import * as reports from '../../../providers/play-reports/port.ts';
import { AppError } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/time.ts';
import { counted } from '../../../shared/text.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { unpackBytes } from '../../../storage/unpack.ts';
import { buildDay } from './build-days.ts';
import type { OpenPlayAccount } from './connection.ts';
import { type BucketScope, putInForce, recordFault, recordRead } from './files-queries.ts';
import { replaceRows, selectEarningsDays, selectSalesDays } from './rows-queries.ts';

/** One that cannot be read is downloaded again, in case that it was cut. */
const AGAIN_MS = 12 * HOUR_MS;
const AFTER_A_FAULT_MS = 10 * MINUTE_MS;

type ReadDeps = Pick<Deps, 'clock' | 'playReports' | 'sql'>;

async function* readRows(
  file: reports.ReportFile,
  bytes: Uint8Array,
): AsyncGenerator<reports.ReportRow | reports.SkippedRow> {
  const read = reports.openReport(file.report);
  let tables = 0;
  for await (const { name, pieces } of unpackBytes(file.name, bytes)) {
    if (name !== file.name && !name.endsWith('.csv')) continue;
    tables += 1;
    yield* read(pieces);
  }
  if (tables === 0) throw new reports.PlayReportError('The archive holds no table.');
}

const sentenceOf = (skipped: ReadonlyMap<string, number>): string | null =>
  skipped.size === 0
    ? null
    : [...skipped]
        .map(([kind, rows]) => `Unknown ${kind}: ${counted(rows, 'row', 'rows')} left out.`)
        .join(' ');

async function buildDays(
  tx: Tx,
  scope: BucketScope,
  file: reports.ReportFile,
  { days, now }: { days: readonly string[]; now: Date },
): Promise<void> {
  const { report, month } = file;
  const isNewInForce = report === 'earnings' && (await putInForce(tx, scope, month));
  const more = isNewInForce ? await selectEarningsDays(tx, scope, month) : [];
  for (const day of new Set([...days, ...more])) {
    await buildDay(tx, { ...scope, report, day }, now);
  }
  if (!isNewInForce) return;
  for (const day of await selectSalesDays(tx, scope, month)) {
    await buildDay(tx, { ...scope, report: 'sales', day }, now);
  }
}

/** Rows of the file and the days they change, in one transaction. */
async function store(
  { sql, clock }: ReadDeps,
  scope: BucketScope,
  file: reports.ReportFile,
  bytes: Uint8Array,
): Promise<number> {
  const { rows, skipped } = await reports.groupRows(readRows(file, bytes));
  await sql.begin(async (tx) => {
    const days = await replaceRows(tx, scope, file, rows);
    await recordRead(tx, scope, file, sentenceOf(skipped));
    await buildDays(tx, scope, file, { days, now: clock() });
  });
  return rows.length;
}

/** The fault of the file itself; null for one of Google or of ours. */
function faultOf(thrown: unknown): string | null {
  if (thrown instanceof reports.PlayReportError) return thrown.message;
  const isUnpacking = thrown instanceof AppError && thrown.code === 'invalid_input';
  return isUnpacking ? thrown.message : null;
}

/** Rows written. A file that cannot be read keeps the rows it had. Throws faults of the key. */
export async function readReportFile(
  deps: ReadDeps,
  {
    scope,
    account,
    file,
  }: { scope: BucketScope; account: OpenPlayAccount; file: reports.ReportFile },
): Promise<number> {
  const retryIn = (ms: number) => new Date(deps.clock().getTime() + ms);
  try {
    const bytes = await deps.playReports.download(account.key, scope.bucket, file);
    return await store(deps, scope, file, bytes);
  } catch (thrown) {
    const fault = faultOf(thrown);
    // Google has written it anew since it was listed.
    const isGone = thrown instanceof ProviderError && thrown.failure === 'not_found';
    if (fault === null && !isGone) throw thrown;
    const retryAt = retryIn(isGone ? AFTER_A_FAULT_MS : AGAIN_MS);
    const error = fault ?? 'Google has written this report anew; it is read at the next look.';
    await recordFault(deps.sql, scope, file, { error, retryAt });
    return 0;
  }
}
