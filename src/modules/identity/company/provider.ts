import type { MemberContext, OrgContext, SystemContext } from '../../../context.ts';
import { EgressError } from '../../../providers/egress/port.ts';
import { AppError, invalidInput, notFound } from '../../../shared/errors.ts';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { toIso } from '../../../shared/time.ts';
import { lockOrganization } from '../accounts/invitations-queries.ts';
import type { Db } from '../../../storage/postgres.ts';
import { together } from '../auth/together.ts';
import type { Done } from '../model/account.ts';
import type { SignInProvider, SignInProviderBody } from '../model/company.ts';
import { type Client, openIssuer, SECRET_PURPOSE, whyNot } from './issuer.ts';
import * as queries from './queries.ts';

/** One for each organization: an issuer sends a code nowhere else (RFC 9700, 4.4.2). */
export const redirectUri = (listening: Parameters<typeof toPublicUrl>[0], orgId: string): string =>
  `${toPublicUrl(listening)}/v1/auth/oidc/callback/${orgId}`;

export async function showProvider({
  deps,
  orgId,
}: OrgContext<'config' | 'sql'>): Promise<SignInProvider> {
  const [found, slug] = [
    await queries.findProvider(deps.sql, orgId),
    await queries.findSlug(deps.sql, orgId),
  ];
  const base = toPublicUrl(deps.config);
  const addresses = {
    redirectUri: redirectUri(deps.config, orgId),
    logoutUri: `${base}/v1/auth/oidc/backchannel-logout/${orgId}`,
    startUri: `${base}/v1/auth/oidc/start?organization=${slug}`,
  };
  if (!found) return { ...addresses, provider: null };
  const { orgId: _, sealedClientSecret: __, updatedAt, ...provider } = found;
  return { ...addresses, provider: { ...provider, updatedAt: toIso(updatedAt) } };
}

/** Throws `invalid_input` that says what of the issuer is wrong. */
async function checkIssuer({ deps }: OrgContext<'egress'>, given: Client): Promise<void> {
  const refused = (why: string) => invalidInput('issuer', why);
  try {
    deps.egress.check(given.issuer);
  } catch (thrown) {
    if (thrown instanceof EgressError) throw refused(thrown.message);
    throw thrown;
  }
  const config = await openIssuer(deps.egress, given).catch((thrown: unknown) => {
    throw refused(`cannot be read: ${whyNot(thrown)}`);
  });
  const server = config.serverMetadata();
  const { authorization_endpoint: start, token_endpoint: token, jwks_uri: keys } = server;
  for (const [name, address] of Object.entries({ start, token, keys })) {
    if (address === undefined) throw refused(`its discovery document has no address for: ${name}`);
    try {
      deps.egress.check(address);
    } catch (thrown) {
      if (thrown instanceof EgressError) throw refused(`${address}: ${thrown.message}`);
      throw thrown;
    }
  }
  const challenges = server.code_challenge_methods_supported;
  if (challenges && !challenges.includes('S256')) throw refused('does not take PKCE with S256');
}

function refuseEndingItself({ onlyOrgId }: MemberContext<never>): void {
  if (onlyOrgId === undefined) return;
  throw new AppError('conflict', 'This session came by the provider.', {
    hint: 'Sign in with your password, or have the operator run: bun run admin provider off',
  });
}

/** Throws `conflict` for an owner who would lock themselves out. */
export async function setProvider(
  ctx: MemberContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  { clientSecret: given, ...settings }: SignInProviderBody,
): Promise<SignInProvider> {
  const { clock, identity, secrets, sql } = ctx.deps;
  const { orgId } = ctx;
  const scope = { orgId, purpose: SECRET_PURPOSE };
  const before = await queries.findProvider(sql, orgId);
  const isSame = before?.issuer === settings.issuer && before.clientId === settings.clientId;
  if (settings.isOnlyWay && !(isSame && ctx.onlyOrgId === orgId)) {
    throw new AppError('conflict', 'You have not signed in by this provider yourself.', {
      hint: 'Set it with isOnlyWay false, sign in by it, then make it the only way.',
    });
  }
  if (before && !isSame) refuseEndingItself(ctx);
  const kept = isSame ? before.sealedClientSecret : null;
  if (given === undefined && kept === null) throw invalidInput('clientSecret', 'is needed');
  const clientSecret = given ?? secrets.open(scope, kept ?? '');
  const { issuer, clientId } = settings;
  await checkIssuer(ctx, { issuer, clientId, clientSecret });
  const sealedClientSecret = secrets.seal(scope, clientSecret);
  await sql.begin(async (tx: Db) => {
    await lockOrganization(tx, orgId);
    if (!isSame) await queries.endProviderSessions(tx, orgId);
    await queries.upsertProvider(tx, {
      orgId,
      ...settings,
      sealedClientSecret,
      updatedAt: clock(),
    });
  });
  identity.authenticator.forgetOrganization(orgId);
  return showProvider(ctx);
}

/** Ends the sessions that came by it. False where there was none. */
export async function turnProviderOff(
  { deps }: SystemContext<'identity' | 'sql'>,
  { orgId }: { orgId: string },
): Promise<boolean> {
  const wasThere = await together(deps.sql, async (db) => {
    await lockOrganization(db, orgId);
    await queries.endProviderSessions(db, orgId);
    return queries.deleteProviderRow(db, orgId);
  });
  deps.identity.authenticator.forgetOrganization(orgId);
  return wasThere;
}

export async function deleteProvider(ctx: MemberContext<'identity' | 'sql'>): Promise<Done> {
  refuseEndingItself(ctx);
  if (!(await turnProviderOff(ctx, { orgId: ctx.orgId }))) throw notFound();
  return { status: true };
}
