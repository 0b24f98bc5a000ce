import { type Config, ConfigError } from '../config.ts';
import { createIdentity, type Identity } from '../modules/identity/index.ts';
import type { Logger } from '../observability/log.ts';
import { createMailer } from '../providers/mail/client.ts';
import { publicUrlOf } from '../shared/own-origin.ts';
import type { Clock } from '../shared/time.ts';
import type { Sql } from '../storage/postgres.ts';

/** Identity as the environment configures it. Throws `ConfigError` without `AUTH_SECRET`. */
export function openIdentity(
  config: Config,
  services: { sql: Sql; clock: Clock; log: Logger },
): Identity {
  if (!config.authSecret) throw new ConfigError(['AUTH_SECRET is needed: 32 characters or more']);
  const publicUrl = publicUrlOf(config);
  return createIdentity({
    ...services,
    secret: config.authSecret,
    publicUrl,
    consoleUrl: config.consoleOrigins[0] ?? publicUrl,
    mailer:
      config.smtpUrl && config.mailFrom ? createMailer(config.smtpUrl, config.mailFrom) : null,
  });
}
