import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { AppError } from '../../../shared/errors.ts';
import { SECOND_MS } from '../../../shared/time.ts';

export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  verify: (kept: { hash: string; password: string }) => Promise<boolean>;
};

const PLACES = 4;
const WAIT_MS = 10 * SECOND_MS;

const inTurn = limitConcurrency(PLACES, {
  waitMs: WAIT_MS,
  error: () =>
    new AppError('unavailable', 'Too many passwords are being checked.', {
      hint: 'Try again in a few seconds.',
      retryAfterSeconds: 5,
    }),
});

/** N 16384, r 16: 32 MB each. */
const SCRYPT: PasswordHashing = {
  hash: (password) => inTurn(() => hashPassword(password)),
  verify: (kept) => inTurn(() => verifyPassword(kept)),
};

const hashed = new AsyncLocalStorage<{ password: string; hash: string }>();

export function hashingAhead(hashing: PasswordHashing = SCRYPT): PasswordHashing {
  return {
    verify: hashing.verify,
    hash: async (password) => {
      const ahead = hashed.getStore();
      return ahead?.password === password ? ahead.hash : hashing.hash(password);
    },
  };
}

/** Its transaction would hold a connection for a tenth of a second. */
export async function withHashAhead<T>(
  auth: { $context: Promise<{ password: Pick<PasswordHashing, 'hash'> }> },
  password: string,
  call: () => Promise<T>,
): Promise<T> {
  const context = await auth.$context;
  const hash = await context.password.hash(password);
  return hashed.run({ password, hash }, call);
}
