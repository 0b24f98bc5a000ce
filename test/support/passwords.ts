import { createHash } from 'node:crypto';
import type { PasswordHashing } from '../../src/modules/identity/index.ts';

const hash = (password: string) =>
  `hasty:${createHash('sha256').update(password.normalize('NFKC')).digest('hex')}`;

/** In place of scrypt, which takes more of a test than all the rest of an organization. */
export const HASTY_HASHING: PasswordHashing = {
  hash: async (password) => hash(password),
  verify: async (kept) => kept.hash === hash(kept.password),
};
