import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** How passwords are kept. */
export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  verify: (kept: { hash: string; password: string }) => Promise<boolean>;
};

/** better-auth's scrypt (N 16384, r 16), 32 MB for each. */
const SCRYPT: PasswordHashing = { hash: hashPassword, verify: verifyPassword };

const hashed = new AsyncLocalStorage<{ password: string; hash: string }>();

/** The hashing that better-auth is given: a hash made ahead of its call is taken as it is. */
export function hashingAhead(hashing: PasswordHashing = SCRYPT): PasswordHashing {
  return {
    verify: hashing.verify,
    hash: async (password) => {
      const ahead = hashed.getStore();
      return ahead?.password === password ? ahead.hash : hashing.hash(password);
    },
  };
}

/**
 * Runs a call that begins a transaction before it hashes: a tenth of a second each, during which the
 * transaction would hold its connection.
 */
export async function withHashAhead<T>(
  auth: { $context: Promise<{ password: Pick<PasswordHashing, 'hash'> }> },
  password: string,
  call: () => Promise<T>,
): Promise<T> {
  const context = await auth.$context;
  const hash = await context.password.hash(password);
  return hashed.run({ password, hash }, call);
}
