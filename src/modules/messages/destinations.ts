import type { OrgContext } from '../../context.ts';
import { checkAddress } from '../../providers/egress/port.ts';
import { AppError, invalidInput, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { lockSubject } from '../../storage/locks.ts';
import { deliver, TARGET_PURPOSE } from './deliver.ts';
import * as model from './destination.model.ts';
import * as queries from './destinations-queries.ts';
import { linkFor } from './off-link.ts';

/** The path of an incoming webhook is its secret. */
const hideSecret = (target: string) => (URL.canParse(target) ? new URL(target).host : target);

async function checkTarget(
  { deps, orgId }: OrgContext<'egress' | 'identity' | 'sql'>,
  { kind, target }: { kind: model.DestinationKind; target: string },
): Promise<string | null> {
  if (kind === 'mail') {
    if (deps.identity.mailer === null) {
      throw new AppError('provider_not_configured', 'This service sends no mail.', {
        hint: 'Set SMTP_URL and MAIL_FROM on the server.',
      });
    }
    const reader = await queries.findReader(deps.sql, orgId, target);
    if (reader?.isProved) return reader.userId;
    throw invalidInput('target', 'must be the proved mail address of a member');
  }
  checkAddress(deps.egress, target, 'target');
  return null;
}

export function listDestinations({
  deps,
  orgId,
}: OrgContext<'secrets' | 'sql'>): Promise<model.Destination[]> {
  const scope = { orgId, purpose: TARGET_PURPOSE };
  return queries.selectDestinations(deps.sql, orgId, (sealed) =>
    hideSecret(deps.secrets.open(scope, sealed)),
  );
}

export async function createDestination(
  ctx: OrgContext<'clock' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  input: model.NewDestinationInput,
): Promise<model.Destination> {
  const { deps, orgId } = ctx;
  const readerUserId = await checkTarget(ctx, input);
  const { kind, name, target } = input;
  const at = deps.clock();
  const sealedTarget = deps.secrets.seal({ orgId, purpose: TARGET_PURPOSE }, target);
  const id = newId('dst');
  const isAdded = await deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'digests', orgId);
    const destination = { id, kind, name, sealedTarget, readerUserId, at };
    return queries.insertDestination(tx, orgId, destination, model.MAX_DESTINATIONS);
  });
  if (!isAdded) {
    throw new AppError('conflict', `At most ${model.MAX_DESTINATIONS} destinations of digests.`, {
      hint: 'Delete one first.',
    });
  }
  return {
    id,
    kind,
    name,
    shownTarget: hideSecret(target),
    createdAt: toIso(at),
    goneReason: null,
  };
}

export async function deleteDestination(
  { deps, orgId }: OrgContext<'sql'>,
  { destinationId }: { destinationId: string },
): Promise<void> {
  if (!(await queries.deleteDestinationRow(deps.sql, { orgId }, destinationId))) throw notFound();
}

export async function testDestination(
  {
    deps,
    orgId,
  }: OrgContext<'clock' | 'config' | 'egress' | 'identity' | 'rateLimits' | 'secrets' | 'sql'>,
  { destinationId }: { destinationId: string },
): Promise<model.TestResult> {
  const destination = orNotFound(await queries.selectDestination(deps.sql, orgId, destinationId));
  const { goneReason } = destination;
  if (goneReason !== null) return { delivered: false, error: goneReason };
  await deps.rateLimits.take('signInAccount', `test ${orgId}`);
  const link = linkFor(deps, { org: orgId, what: 'digest' }, { ...destination, destinationId });
  const text = `This is a test of the morning digest.\n\nNo more of these: ${link}`;
  const at = toIso(deps.clock());
  const outcome = await deliver(
    deps,
    { orgId, ...destination },
    { id: newId('req'), type: 'test', text, at, data: null, offLink: link },
  );
  if (outcome.kind === 'gone')
    await queries.markGone(deps.sql, { orgId, destinationId }, outcome.reason);
  return {
    delivered: outcome.kind === 'sent',
    error: outcome.kind === 'sent' ? null : outcome.reason,
  };
}
