import { type Config, ConfigError } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { createMailer } from '../../providers/mail/client.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { publicUrlOf } from '../../shared/own-origin.ts';
import type { Clock } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { type Auth, createAuth } from './auth.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

export type Identity = {
  auth: Auth;
  authenticator: Authenticator;
  /** Null when no mail server is configured. */
  mailer: Mailer | null;
  /** Signs what browsers keep (`AUTH_SECRET`). */
  signingSecret: string;
  /** Where links that people follow lead. */
  consoleUrl: string;
};

/** What use-cases need that operators run too, without a request. */
export type IdentityContext = { deps: { identity: Pick<Identity, 'auth'>; sql: Sql } };

/** Accounts, sessions, organizations and their keys. Throws `ConfigError` without `AUTH_SECRET`. */
export function createIdentity(options: {
  config: Config;
  sql: Sql;
  clock: Clock;
  log: Logger;
}): Identity {
  const { config, sql, clock, log } = options;
  if (!config.authSecret) throw new ConfigError(['AUTH_SECRET is needed: 32 characters or more']);
  const publicUrl = publicUrlOf(config);
  const consoleUrl = config.consoleOrigins[0] ?? publicUrl;
  const mailer =
    config.smtpUrl && config.mailFrom ? createMailer(config.smtpUrl, config.mailFrom) : null;
  const auth = createAuth({ sql, secret: config.authSecret, publicUrl, consoleUrl, mailer, log });
  const authenticator = createAuthenticator({ auth, sql, clock });
  return { auth, authenticator, mailer, signingSecret: config.authSecret, consoleUrl };
}
