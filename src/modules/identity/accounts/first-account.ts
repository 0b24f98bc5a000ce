import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { Deps, SystemContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { isPublic } from '../../../shared/own-origin.ts';
import { isAnybodySignedUp } from './queries.ts';

/** No look-alikes; 32 divides 256, so all are equally likely. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 12;

const CODE_HINT = 'firstAccountCode: the code that the start of the service printed';

/** `isLocal`: a request from this machine. */
export type FirstAccountProof = { isLocal: boolean; code: string | undefined };

/** Until the first account exists: 60 bits, the same in every process. */
export function firstAccountCode({ authSecret }: Pick<Config, 'authSecret'>): string {
  const secret = must(authSecret, 'the service does not start without AUTH_SECRET');
  const digest = new Bun.CryptoHasher('sha256', secret).update('first account').digest();
  const letters = [...digest.subarray(0, CODE_LENGTH)].map((byte) =>
    LETTERS.charAt(byte % LETTERS.length),
  );
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

const plain = (code: string) => Buffer.from(code.toUpperCase().replace(/[^0-9A-Z]/g, ''));

/** Throws `permission_denied` without a code, `invalid_input` for a wrong one. */
export function checkFirstAccount(
  { deps }: SystemContext<'config'>,
  { isLocal, code }: FirstAccountProof,
): void {
  if (isLocal && code === undefined) return;
  if (code === undefined) {
    throw new AppError('permission_denied', 'The first account belongs to whoever runs this.', {
      hint: isPublic(deps.config)
        ? CODE_HINT
        : `${CODE_HINT}; from the machine itself none is needed`,
    });
  }
  const [given, right] = [plain(code), plain(firstAccountCode(deps.config))];
  if (given.length === right.length && timingSafeEqual(given, right)) return;
  throw invalidInput('firstAccountCode', 'must be the code that the start of the service printed');
}

export async function showFirstAccount({ deps }: SystemContext<'sql'>, isLocal: boolean) {
  const needed = !(await isAnybodySignedUp(deps.sql));
  return { needed, codeNeeded: needed && !isLocal };
}

export async function firstAccountDetails({
  config,
  sql,
}: Pick<Deps, 'config' | 'sql'>): Promise<Record<string, string>> {
  if (await isAnybodySignedUp(sql)) return {};
  return { firstAccountCode: firstAccountCode(config) };
}
