import type { MemberContext } from '../../../context.ts';
import type { Mailer } from '../../../providers/mail/port.ts';
import type { Clock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { type Auth, type AuthOptions, createAuth } from './auth.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

type AuditedAct = 'member_role_changed' | 'member_removed' | 'key_created';

export function audit(
  { deps, requestId, orgId, userId }: MemberContext<'log'>,
  act: AuditedAct,
  details: Record<string, unknown>,
): void {
  deps.log.info({ audit: act, requestId, orgId, by: userId, ...details }, 'access changed');
}

export type Identity = {
  auth: Auth;
  authenticator: Authenticator;
  mailer: Mailer | null;
  signingSecret: string;
  consoleUrl: string;
};

export type IdentityContext = { deps: { identity: Pick<Identity, 'auth'>; sql: Sql } };

export function createIdentity(options: AuthOptions & { clock: Clock }): Identity {
  const { sql, clock, secret, mailer, consoleUrl } = options;
  const auth = createAuth(options);
  const authenticator = createAuthenticator({ auth, sql, clock });
  return { auth, authenticator, mailer, signingSecret: secret, consoleUrl };
}
