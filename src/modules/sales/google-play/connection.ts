import type { Deps, OrgContext, SystemContext } from '../../../context.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { toGoogleError } from '../../../shared/google-errors.ts';
import type { GoogleKey } from '../../../shared/google-grant.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { googlePlayReportsContract } from '../../../temporal/contracts/store.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import * as queries from './accounts-queries.ts';
import { bucketName, type ConnectPlayAccountInput, type PlayAccount } from './model.ts';

const ACCOUNTS = 2_000;

export async function reconcilePlayReports({
  clock,
  sql,
  temporal,
}: Pick<Deps, 'clock' | 'sql' | 'temporal'>): Promise<void> {
  const due = await queries.selectAccountsDue(sql, { now: clock(), limit: ACCOUNTS });
  await ensureAll(due, (orgId) => temporal.ensure(googlePlayReportsContract, { orgId }));
}

export const PLAY_REPORTS_KEY_PURPOSE = 'google-play-reports-key';

export const getPlayAccount = ({ deps, orgId }: OrgContext<'sql'>): Promise<PlayAccount | null> =>
  queries.selectPlayAccount(deps.sql, orgId);

/** Not awaited: the next round makes up for a failure. */
function startReading({ log, temporal }: Pick<Deps, 'log' | 'temporal'>, orgId: string): void {
  temporal.ensure(googlePlayReportsContract, { orgId }).catch((thrown: unknown) => {
    log.debug({ err: thrown, orgId }, 'reading of reports could not be started; a round will');
  });
}

/** Throws the errors of Google Play; a refused key is not kept. */
export async function connectPlayAccount(
  { deps, orgId }: OrgContext<'clock' | 'log' | 'playReports' | 'secrets' | 'sql' | 'temporal'>,
  input: ConnectPlayAccountInput,
): Promise<PlayAccount> {
  const key = deps.playReports.readKey(input.serviceAccount);
  const bucket = bucketName(input.bucket);
  // First: no request without secret storage.
  const sealedKey = deps.secrets.seal({ orgId, purpose: PLAY_REPORTS_KEY_PURPOSE }, key.privateKey);
  try {
    await deps.playReports.list(key, bucket, 'sales');
  } catch (thrown) {
    const isUnknown = thrown instanceof ProviderError && thrown.failure === 'not_found';
    throw isUnknown ? invalidInput('bucket', thrown.message) : toGoogleError(thrown);
  }
  const { clientEmail, privateKeyId } = key;
  const at = deps.clock();
  const made = { orgId, bucket, clientEmail, privateKeyId, sealedKey, at };
  const account = await queries.upsertPlayAccount(deps.sql, made);
  startReading(deps, orgId);
  return account;
}

export const disconnectPlayAccount = ({ deps, orgId }: OrgContext<'sql'>): Promise<void> =>
  queries.destroyPlayKey(deps.sql, orgId);

/** Answers at once; the reports follow in the background. Throws `store_not_connected`. */
export async function readPlayReportsNow({
  deps,
  orgId,
}: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>): Promise<PlayAccount> {
  await queries.setNextRead(deps.sql, orgId, deps.clock());
  const account = await queries.selectPlayAccount(deps.sql, orgId);
  if (!account) {
    throw new AppError('store_not_connected', 'The reports of Google Play are not connected.', {
      hint: 'Connect them with PUT /v1/store/google-play.',
    });
  }
  startReading(deps, orgId);
  return account;
}

export type OpenPlayAccount = { key: GoogleKey; bucket: string };

export async function openPlayAccount(
  { deps }: SystemContext<'secrets' | 'sql'>,
  orgId: string,
): Promise<OpenPlayAccount | null> {
  const stored = await queries.selectSealedAccount(deps.sql, orgId);
  if (!stored) return null;
  const { bucket, clientEmail, privateKeyId, sealedKey } = stored;
  const privateKey = deps.secrets.open({ orgId, purpose: PLAY_REPORTS_KEY_PURPOSE }, sealedKey);
  return { key: { clientEmail, privateKeyId, privateKey }, bucket };
}
