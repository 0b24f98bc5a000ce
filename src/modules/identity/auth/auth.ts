import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { organization } from 'better-auth/plugins/organization';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Logger } from '../../../observability/log.ts';
import type { Mailer } from '../../../providers/mail/port.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { PASSWORD_LENGTH } from '../model/account.ts';
import { MAX_ORGANIZATIONS } from '../model/organization.ts';
import { accessControl, organizationRoles } from './access-control.ts';
import { AUTH_SCHEMA, createAuthDatabase } from './auth-database.ts';
import { passwordResetMail } from './mails.ts';
import { findOrganizationForNewSession } from './organizations-queries.ts';
import { hashingAhead, type PasswordHashing } from './password-hashing.ts';

/** better-auth wants this name in every call. */
export const ORGANIZATION_KEYS = 'organization';
/** Client address derived by our HTTP layer; clients cannot set it. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

const RESET_TOKEN_SECONDS = 60 * 60;

export type AuthOptions = {
  sql: Sql;
  /** `AUTH_SECRET`: signs cookies. */
  secret: string;
  publicUrl: string;
  /** Target of links in mails: the first console origin, else the service. */
  consoleUrl: string;
  /** Null without `SMTP_URL`: inviters get the links. */
  mailer: Mailer | null;
  log: Logger;
  /** For tests only. */
  passwordHashing?: PasswordHashing;
};

/** Response time must not reveal an account. */
function sendLater(options: AuthOptions, mail: Parameters<Mailer['send']>[0]): void {
  options.mailer?.send(mail).catch((error: unknown) => {
    options.log.error({ err: error, subject: mail.subject }, 'mail could not be sent');
  });
}

/** better-auth stores their secrets in plain text. */
const ORGANIZATION_OPTIONS = {
  ac: accessControl,
  roles: organizationRoles,
  creatorRole: 'owner',
  organizationLimit: MAX_ORGANIZATIONS,
  disableOrganizationDeletion: true,
} as const;

const ORGANIZATION_KEY_OPTIONS = {
  configId: ORGANIZATION_KEYS,
  references: 'organization',
  defaultPrefix: 'svk_',
  maximumNameLength: 240,
  startingCharactersConfig: { shouldStore: true, charactersLength: 10 },
  // Our own limiter: better-auth's writes a row per check.
  rateLimit: { enabled: false },
  enableSessionForAPIKeys: false,
} as const;

/** Shown by authenticator apps. */
const ISSUER = 'Mobile App Control Plane';

const SECOND_FACTOR_OPTIONS = {
  issuer: ISSUER,
  // The audit hides columns by their names.
  schema: { twoFactor: { fields: { backupCodes: 'sealedRecoveryCodes' } } },
} as const;

/** Without its HTTP router: only our routes call `auth.api`. */
export function createAuth(options: AuthOptions) {
  const database = createAuthDatabase(options.sql);
  return betterAuth({
    appName: ISSUER,
    baseURL: options.publicUrl,
    basePath: '/v1/auth',
    secret: options.secret,
    database: { db: database.db, type: 'postgres', schemaName: AUTH_SCHEMA, transaction: true },
    emailAndPassword: {
      enabled: true,
      password: hashingAhead(options.passwordHashing),
      minPasswordLength: PASSWORD_LENGTH.min,
      // better-auth counts UTF-16 units; our schema counts characters.
      maxPasswordLength: PASSWORD_LENGTH.max * 2,
      resetPasswordTokenExpiresIn: RESET_TOKEN_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => {
        sendLater(options, passwordResetMail(options.consoleUrl, { email: user.email, token }));
      },
    },
    // Hashed against readers of the database or a backup.
    verification: { storeIdentifier: 'hashed' },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: {
              ...session,
              // Sign-up calls this inside its transaction.
              activeOrganizationId: await findOrganizationForNewSession(
                database.current(),
                session.userId,
              ),
            },
          }),
        },
      },
    },
    plugins: [
      organization(ORGANIZATION_OPTIONS),
      apiKey([ORGANIZATION_KEY_OPTIONS]),
      twoFactor(SECOND_FACTOR_OPTIONS),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    logger: {
      level: 'warn',
      log: (level, message, ...details) => {
        const err = details.find((detail) => detail instanceof Error);
        options.log[level === 'error' ? 'warn' : 'debug']({ err }, `better-auth: ${message}`);
      },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
