import type { AppContext } from '../../context.ts';
import { AppError, orNotFound } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import * as contracts from '../../temporal/contracts/backend.ts';
import { recordDesired } from './claim.ts';
import type { ConnectBackendInput, ConnectedBackend } from './model.ts';
import { ANOTHER_APP, ANOTHER_PROJECT, refusal, toError } from './outcome.ts';
import { deleteUnmade, selectByRef, selectOfApp } from './queries.ts';

/** A creation continues past this; a retry finds its result. */
const ANSWER_LIMIT_MS = 25 * SECOND_MS;
const RETRY_SECONDS = 10;

/** Idempotent. */
export async function connectBackend(
  ctx: AppContext<'backendProvider' | 'clock' | 'secrets' | 'sql' | 'temporal'>,
  input: ConnectBackendInput,
): Promise<ConnectedBackend> {
  const { deps, app, scope } = ctx;
  const wanted = input.existingProjectRef ?? null;
  const current = await selectOfApp(deps.sql, scope);
  if (current && current.projectRef !== null) {
    if (wanted !== null && wanted !== current.projectRef) throw conflict(ANOTHER_PROJECT);
    return toConnectedBackend(app.id, current.projectRef, current.url);
  }
  if (wanted !== null) await checkRecorded(ctx, wanted);
  if (!deps.backendProvider) {
    throw new AppError('provider_not_configured', 'No backend provider is configured.', {
      hint: 'Set BACKEND_API_URL, BACKEND_API_TOKEN and BACKEND_ORGANIZATION on the server.',
    });
  }
  const refused = await recordDesired(ctx, { existingProjectRef: wanted });
  if (refused) throw toError(refused);
  const asked = { question: { existingProjectRef: wanted }, timeoutMs: ANSWER_LIMIT_MS };
  const outcome = await deps.temporal
    .ask(contracts.backendProvisioningContract, scope, contracts.connectBackendUpdate, asked)
    .catch(async (thrown: unknown) => {
      // A failed request leaves no order, unless the project is being made.
      await deleteUnmade(deps.sql, scope);
      throw thrown;
    });
  if (outcome.kind === 'refused') throw toError(outcome);
  // The run's word is not trusted.
  const made = await selectOfApp(deps.sql, scope);
  if (made === null || made.projectRef === null) {
    throw toError(refusal('unavailable', 'Try again in a moment.', RETRY_SECONDS));
  }
  return toConnectedBackend(app.id, made.projectRef, made.url);
}

async function checkRecorded(
  { deps, orgId, app }: AppContext<'sql'>,
  projectRef: string,
): Promise<void> {
  const project = orNotFound(await selectByRef(deps.sql, orgId, projectRef));
  if (project.appId !== null && project.appId !== app.id) throw conflict(ANOTHER_APP);
}

function conflict(hint: string): AppError {
  return toError(refusal('conflict', hint));
}

function toConnectedBackend(appId: string, projectRef: string, url: string): ConnectedBackend {
  return { appId, projectRef, url, connected: true };
}
