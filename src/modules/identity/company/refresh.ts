import * as client from 'openid-client';
import type { Deps } from '../../../context.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { newId } from '../../../shared/ids.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { beginAudit, inAuditHolder } from '../../../storage/audit.ts';
import { findUser } from '../accounts/queries.ts';
import { accessEndedMail } from '../auth/mails.ts';
import { together } from '../auth/together.ts';
import { isAway, isTakenBack, openProvider, readWhole, TOKEN_PURPOSE } from './issuer.ts';
import { removeMembership, renewRole, roleOf } from './join.ts';
import * as queries from './links-queries.ts';
import * as rows from './queries.ts';

/** Twice within the ten minutes that are promised. */
const EVERY_MS = 4 * MINUTE_MS;
const BATCH = 500;
const AT_ONCE = 8;

type Needed = Pick<Deps, 'clock' | 'egress' | 'identity' | 'log' | 'secrets' | 'sql'>;

/** `work` with an entry of the audit, though nobody asked. */
function asIssuer<T>({ clock }: Needed, orgId: string, work: () => Promise<T>): Promise<T> {
  return inAuditHolder(() => {
    beginAudit({
      actor: { kind: 'visitor', id: null },
      orgId,
      appId: null,
      operation: 'refreshCompanySignIn',
      address: null,
      userAgent: null,
      requestId: newId('req'),
      at: clock(),
      isOver: false,
      isWritten: false,
    });
    return work();
  });
}

async function tellOwners(
  { identity, log, sql }: Needed,
  { orgId, userId }: queries.DueLink,
): Promise<void> {
  const [person, keys] = [
    await findUser(sql, userId),
    await rows.listLeftKeys(sql, { orgId, userId }),
  ];
  log.info({ audit: 'member_ended_by_provider', orgId, userId, keys }, 'access ended by provider');
  if (!identity.mailer || !person) return;
  for (const { email, organizationName } of await rows.listOwnersToTell(sql, orgId)) {
    const told = { email, organizationName, person: person.email, keys };
    await identity.mailer.send(accessEndedMail(identity.consoleUrl, told)).catch((err: unknown) => {
      log.error({ err, orgId }, 'notice of an ended access could not be mailed');
    });
  }
}

async function endAccess(
  deps: Needed,
  link: queries.DueLink,
  reason: 'gone' | 'no group' | 'another subject',
): Promise<void> {
  const { orgId, userId } = link;
  const isEnded = await asIssuer(deps, orgId, () =>
    together(deps.sql, async (db) => {
      if (!(await queries.dropToken(db, link))) return false;
      await rows.endSessionsOf(db, { orgId, userId, sid: null });
      await removeMembership(db, { orgId, userId });
      return true;
    }),
  );
  if (!isEnded) return;
  deps.log.info({ orgId, userId, reason }, 'provider ended an access');
  deps.identity.authenticator.forgetUser(userId);
  await tellOwners(deps, link);
}

type Opened = { provider: rows.Provider; config: client.Configuration };

async function refresh(
  deps: Needed,
  link: queries.DueLink,
  { provider, config }: Opened,
): Promise<void> {
  const { clock, identity, secrets, sql } = deps;
  const { orgId, userId, sealedRefreshToken: was } = link;
  const scope = { orgId, purpose: TOKEN_PURPOSE };
  const token = secrets.open(scope, was);
  let tokens: Awaited<ReturnType<typeof client.refreshTokenGrant>>;
  try {
    tokens = await client.refreshTokenGrant(config, token);
  } catch (thrown) {
    if (isTakenBack(thrown)) return endAccess(deps, link, 'gone');
    throw thrown;
  }
  const next = tokens.refresh_token ?? token;
  const kept = { ...link, sealedRefreshToken: secrets.seal(scope, next) };
  if (!(await queries.keepToken(sql, kept, was))) return;
  const claims = tokens.claims();
  if (claims && claims.sub !== link.subject) return endAccess(deps, kept, 'another subject');
  const answer = { accessToken: tokens.access_token, claims, subject: link.subject };
  const told = await readWhole(
    config,
    provider,
    answer,
    ({ groups }) => groups !== null || provider.roles.length === 0,
  );
  const role = roleOf(provider, told?.groups ?? []);
  if (role === null) return endAccess(deps, kept, 'no group');
  await asIssuer(deps, orgId, () =>
    together(sql, async (db) => {
      if (await queries.markChecked(db, kept, clock()))
        await renewRole(db, { orgId, userId }, role);
    }),
  );
  identity.authenticator.forgetUser(userId);
}

/** One provider that does not answer holds up nobody else. */
async function refreshOfOne(
  deps: Needed,
  orgId: string,
  links: readonly queries.DueLink[],
): Promise<void> {
  const provider = await rows.findProvider(deps.sql, orgId);
  if (!provider) return;
  await queries.markTried(deps.sql, links, deps.clock());
  try {
    const config = await openProvider({ deps, requestId: newId('req') }, provider);
    for (const link of links) {
      await refresh(deps, link, { provider, config }).catch((thrown: unknown) => {
        if (isAway(thrown)) throw thrown;
        deps.log.warn({ err: thrown, orgId }, 'sign-in could not be refreshed');
      });
    }
  } catch (thrown) {
    deps.log.warn({ err: thrown, orgId }, 'sign-in provider does not answer');
  }
}

/** Asks the issuers whether those who signed in still belong to them. */
export async function refreshCompanySignIns(deps: Needed): Promise<void> {
  const before = new Date(deps.clock().getTime() - EVERY_MS);
  const due = await queries.listDueLinks(deps.sql, { before, limit: BATCH });
  const byOrganization = Map.groupBy(due, ({ orgId }) => orgId);
  const limited = limitConcurrency(AT_ONCE);
  await Promise.all(
    [...byOrganization].map(([orgId, links]) => limited(() => refreshOfOne(deps, orgId, links))),
  );
}
