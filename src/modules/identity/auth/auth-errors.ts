import { isAPIError } from 'better-auth/api';
import { AppError, type ErrorCode, notFound } from '../../../shared/errors.ts';
import { brokenUniqueConstraint } from '../../../storage/postgres.ts';
import { MAX_ORGANIZATIONS } from '../model/organization.ts';

type Translation = { code: ErrorCode; message: string; hint?: string };

const WRONG_CREDENTIALS: Translation = {
  code: 'not_signed_in',
  message: 'The e-mail address or the password is wrong.',
};
const NOT_FOUND: Translation = { code: 'not_found', message: notFound().message };
const NOT_VALID: Translation = { code: 'invalid_input', message: 'The request is not valid.' };
const ADDRESS_TAKEN: Translation = {
  code: 'conflict',
  message: 'There is an account with this address.',
};
/** Any cause: a concurrent sign-up, or the database. */
const NOT_CREATED: Translation = {
  code: 'unavailable',
  message: 'The account could not be made just now; try again.',
};
const SLUG_TAKEN: Translation = { code: 'slug_taken', message: 'This slug is taken.' };
const NO_OWNER_LEFT: Translation = {
  code: 'conflict',
  message: 'An organization keeps at least one owner.',
  hint: 'Make another member an owner first.',
};

const WRONG_CODE: Translation = {
  code: 'invalid_input',
  message: 'This code is wrong.',
  hint: 'code: must be what the authenticator app shows now, or a recovery code that is left',
};
const NO_SECOND_FACTOR: Translation = {
  code: 'conflict',
  message: 'This account has no second factor.',
  hint: 'Set one up: POST /v1/auth/second-factor.',
};
const SIGN_IN_AGAIN: Translation = {
  code: 'not_signed_in',
  message: 'This sign-in is too old, or saw too many wrong codes. Sign in again.',
};

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG_CREDENTIALS,
  CREDENTIAL_ACCOUNT_NOT_FOUND: WRONG_CREDENTIALS,
  INVALID_PASSWORD: {
    code: 'invalid_input',
    message: 'The current password is wrong.',
    hint: 'currentPassword: must be the password of this account',
  },
  INVALID_CODE: WRONG_CODE,
  INVALID_BACKUP_CODE: WRONG_CODE,
  INVALID_TWO_FACTOR_COOKIE: SIGN_IN_AGAIN,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: SIGN_IN_AGAIN,
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: 'rate_limited',
    message: 'Too many wrong codes. Try again in 15 minutes.',
  },
  TOTP_ALREADY_ENABLED: {
    code: 'conflict',
    message: 'This account has a second factor already.',
    hint: 'Remove it first: POST /v1/auth/second-factor/remove.',
  },
  TOTP_NOT_ENABLED: NO_SECOND_FACTOR,
  TWO_FACTOR_NOT_ENABLED: NO_SECOND_FACTOR,
  BACKUP_CODES_NOT_ENABLED: NO_SECOND_FACTOR,
  INVALID_EMAIL: { ...NOT_VALID, hint: 'email: must be an e-mail address' },
  INVALID_TOKEN: {
    code: 'invalid_input',
    message: 'This link was used already or is too old.',
    hint: 'token: ask for a new one',
  },
  USER_ALREADY_EXISTS: ADDRESS_TAKEN,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: {
    ...ADDRESS_TAKEN,
    hint: 'Sign in, or reset the password.',
  },
  FAILED_TO_CREATE_USER: NOT_CREATED,
  ORGANIZATION_ALREADY_EXISTS: SLUG_TAKEN,
  ORGANIZATION_SLUG_ALREADY_TAKEN: SLUG_TAKEN,
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: {
    code: 'conflict',
    message: `One person is in at most ${MAX_ORGANIZATIONS} organizations.`,
    hint: 'Leave one first.',
  },
  ORGANIZATION_NOT_FOUND: NOT_FOUND,
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: NOT_FOUND,
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: NOT_FOUND,
  MEMBER_NOT_FOUND: NOT_FOUND,
  NO_ACTIVE_ORGANIZATION: { code: 'no_active_organization', message: 'No active organization.' },
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: NO_OWNER_LEFT,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: NO_OWNER_LEFT,
  FAILED_TO_GET_SESSION: {
    code: 'unavailable',
    message: 'The service cannot check credentials just now.',
  },
};

const BY_STATUS: Readonly<Record<number, Translation>> = {
  400: NOT_VALID,
  401: { code: 'not_signed_in', message: 'You are not signed in.' },
  403: { code: 'permission_denied', message: 'You may not do this.' },
  404: NOT_FOUND,
  409: { code: 'conflict', message: 'Another request changed this at the same time.' },
  422: NOT_VALID,
};

/** Trigger of migration 0001, for two owners leaving at once. */
function brokeOwnerRule(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'constraint_name' in thrown &&
    thrown.constraint_name === 'organization_keeps_an_owner'
  );
}

export function translateAuthError(thrown: unknown): unknown {
  if (brokeOwnerRule(thrown)) return appError(NO_OWNER_LEFT, thrown);
  if (brokenUniqueConstraint(thrown) === 'organization_slug_key') {
    return appError(SLUG_TAKEN, thrown);
  }
  if (!isAPIError(thrown)) return thrown;
  const found = TRANSLATIONS[thrown.body?.code ?? ''] ?? BY_STATUS[thrown.statusCode];
  return found ? appError(found, thrown) : thrown;
}

export const addressTaken = (cause: unknown) => appError(ADDRESS_TAKEN, cause);

function appError({ code, message, hint }: Translation, cause: unknown): AppError {
  return new AppError(code, message, { cause, hint });
}

export async function callAuth<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw translateAuthError(thrown);
  }
}
