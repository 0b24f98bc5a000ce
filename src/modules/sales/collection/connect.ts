import type { OrgContext } from '../../../context.ts';
import { checkPrivateKey } from '../../../shared/app-store-token.ts';
import { AppError, type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { storeSentence } from '../../../shared/store-error.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/time.ts';
import * as contracts from '../../../temporal/contracts/store.ts';
import * as queries from './connection-queries.ts';
import { announceConnection } from './connection-status.ts';
import type { Connected, ConnectInput } from './model.ts';
import { sealPrivateKey } from './opened-key.ts';

export async function disconnect({
  deps,
  orgId,
}: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (!(await queries.deleteConnection(tx, orgId))) return;
    const at = deps.clock();
    await announceConnection(tx, orgId, at, { status: 'disconnected', lastError: null });
  });
  // Best effort: the actor checks for the key before every request.
  await deps.temporal
    .signal(contracts.storeSyncContract, { orgId }, contracts.stopSignal)
    .catch((thrown: unknown) => {
      deps.log.debug(
        { err: thrown, orgId },
        'store actor could not be signalled to stop; it ends by itself',
      );
    });
}

const ANSWER_WITHIN_MS = 25 * SECOND_MS;
const CANDIDATE_LIFE_MS = 60 * MINUTE_MS;
const LONGEST_WAIT_SECONDS = 3_600;
const NOT_VERIFIED = 'The key could not be verified with the store.';

/** Anyone with access to Temporal could forge the run's message. */
function toAppError(result: contracts.StoreConnectionResult & { ok: false }): AppError {
  const code: ErrorCode = isErrorCode(result.code) ? result.code : 'store_unavailable';
  const said = storeSentence(result.message);
  const waitSeconds = result.retryAfterSeconds;
  return new AppError(code, said?.message ?? NOT_VERIFIED, {
    hint: said ? said.hint : 'Try again in a moment.',
    ...(waitSeconds !== null && { retryAfterSeconds: Math.min(waitSeconds, LONGEST_WAIT_SECONDS) }),
  });
}

/** The present connection stays until the candidate is accepted. */
export async function connect(
  ctx: OrgContext<'clock' | 'secrets' | 'sql' | 'temporal'>,
  input: ConnectInput,
): Promise<Connected> {
  const { privateKey, ...account } = input;
  checkPrivateKey(privateKey);
  const { deps, orgId } = ctx;
  const now = deps.clock();
  const connectionId = newId('con');
  await queries.deleteOldCandidates(deps.sql, new Date(now.getTime() - CANDIDATE_LIFE_MS));
  await queries.insertCandidate(deps.sql, {
    connectionId,
    orgId,
    sealedKey: sealPrivateKey(deps, orgId, privateKey),
    ...{ teamId: null, teamType: null, ...account },
    createdAt: now,
  });
  const run = { orgId, connectionId };
  const handle = await deps.temporal.ensure(contracts.storeConnectionContract, run);
  const result: contracts.StoreConnectionResult = await deps.temporal.call(
    () => handle.result(),
    ANSWER_WITHIN_MS,
  );
  if (result.connectionId !== connectionId) {
    await queries.deleteCandidate(deps.sql, orgId, connectionId);
    throw new AppError('conflict', 'Another key of this organization is being verified.', {
      hint: 'Try again in a moment.',
    });
  }
  if (!result.ok) throw toAppError(result);
  const connection = await queries.selectConnection(deps.sql, orgId);
  if (!connection) {
    throw new AppError('conflict', 'The connection was removed while it was being made.');
  }
  return { connection, discoveredApps: result.discoveredApps };
}
