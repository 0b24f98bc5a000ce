import type { SystemContext } from '../../../context.ts';
import { PLAY_REPORTS } from '../../../providers/play-reports/port.ts';
import { askAgainIfRefused, isOfTheKey } from '../../../shared/google-errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/time.ts';
import type { PlayReportsInput, PlayReportsRound } from '../../../temporal/contracts/store.ts';
import { markChecked, updateSync } from '../collection/syncs-queries.ts';
import { recordPlayRead, setNextRead } from './accounts-queries.ts';
import { monthOf, oldestDay, sweepDays, utcDay } from './build-days.ts';
import { type OpenPlayAccount, openPlayAccount } from './connection.ts';
import { type BucketScope, selectFileFault, selectFilesDue, upsertFiles } from './files-queries.ts';
import { vendorOf } from './model.ts';
import { readReportFile } from './read-file.ts';

type ReadContext = SystemContext<'clock' | 'playReports' | 'secrets' | 'sql'>;

/** Google writes them once a day, at no known hour. */
const EVERY_MS = 6 * HOUR_MS;
const AFTER_A_FAULT_MS = 10 * MINUTE_MS;
const AFTER_A_REFUSAL_MS = HOUR_MS;
/** Files of one attempt: minutes at the most. */
const BATCH = 4;

async function listFiles({ deps }: ReadContext, scope: BucketScope, account: OpenPlayAccount) {
  const from = monthOf(oldestDay(utcDay(deps.clock())));
  for (const report of PLAY_REPORTS) {
    const files = await deps.playReports.list(account.key, scope.bucket, report);
    const wanted = files.filter(({ month }) => month >= from);
    await upsertFiles(deps.sql, scope, wanted);
  }
}

async function readBatch(
  ctx: ReadContext,
  scope: BucketScope,
  account: OpenPlayAccount,
): Promise<PlayReportsRound> {
  const { deps } = ctx;
  const due = await selectFilesDue(deps.sql, scope, { now: deps.clock(), limit: BATCH });
  let rowsWritten = 0;
  for (const file of due) rowsWritten += await readReportFile(deps, { scope, account, file });
  return { files: due.length, rowsWritten, goesOn: due.length === BATCH };
}

/** The days' states are known only once every file that is due was read. */
async function finish({ deps }: ReadContext, scope: BucketScope, account: OpenPlayAccount) {
  for (const report of ['sales', 'installs'] as const) await sweepDays(deps, scope, report);
  const at = deps.clock();
  const vendor = { orgId: scope.orgId, vendorNumber: vendorOf(scope.bucket) };
  const lastError = await selectFileFault(deps.sql, scope);
  await markChecked(deps.sql, vendor, at);
  await updateSync(deps.sql, vendor, { lastRunAt: at, lastError, stoppedBecause: null });
  const { privateKeyId } = account.key;
  const nextAt = new Date(at.getTime() + EVERY_MS);
  await recordPlayRead(deps.sql, scope.orgId, { privateKeyId, at, nextAt, error: null });
}

async function noteFailure(
  { deps }: ReadContext,
  scope: BucketScope,
  account: OpenPlayAccount,
  thrown: ProviderError,
): Promise<void> {
  const at = deps.clock();
  const after = (ms: number) => new Date(at.getTime() + ms);
  const vendor = { orgId: scope.orgId, vendorNumber: vendorOf(scope.bucket) };
  const stop = { lastError: thrown.message, stoppedBecause: thrown.failure };
  await updateSync(deps.sql, vendor, { lastRunAt: at, ...stop });
  const waitMs = Math.max((thrown.retryAfterSeconds ?? 0) * SECOND_MS, AFTER_A_FAULT_MS);
  if (isOfTheKey(thrown)) {
    const { privateKeyId } = account.key;
    const refused = { privateKeyId, at, nextAt: after(AFTER_A_REFUSAL_MS), error: thrown.message };
    await recordPlayRead(deps.sql, scope.orgId, refused);
    return;
  }
  await setNextRead(deps.sql, scope.orgId, after(waitMs));
}

const NOTHING: PlayReportsRound = { files: 0, rowsWritten: 0, goesOn: false };

/** Lists the reports at first, then reads some that changed. Throws errors of the database only. */
export async function readPlayReports(
  ctx: ReadContext,
  { orgId, isListed = false }: PlayReportsInput,
): Promise<PlayReportsRound> {
  const account = await openPlayAccount(ctx, orgId);
  if (!account) return NOTHING;
  const scope = { orgId, bucket: account.bucket };
  const readRound = async () => {
    if (!isListed) await listFiles(ctx, scope, account);
    const round = await readBatch(ctx, scope, account);
    if (!round.goesOn) await finish(ctx, scope, account);
    return round;
  };
  try {
    return await askAgainIfRefused(readRound);
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    await noteFailure(ctx, scope, account, thrown);
    return NOTHING;
  }
}
