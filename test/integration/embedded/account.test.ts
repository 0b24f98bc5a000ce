import { afterAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { postgresAccount } from '../../../src/shared/account.ts';

const isRoot = process.getuid?.() === 0;
const canMake = isRoot && Bun.which('useradd') !== null && Bun.which('userdel') !== null;
if (!canMake) console.log('not run: making the account of PostgreSQL (needs root and useradd)');

const name = `pgtest${randomBytes(3).toString('hex')}`;
afterAll(() => {
  if (canMake) Bun.spawnSync(['userdel', name], { stderr: 'ignore' });
});

describe('the account of the embedded PostgreSQL', () => {
  test.skipIf(!canMake)('is made for root where it is missing, and then found', () => {
    const made = postgresAccount(name);
    expect(made?.uid).toBeGreaterThan(0);
    expect(made?.gid).toBeGreaterThan(0);
    expect(postgresAccount(name)).toEqual(made);
    expect(postgresAccount()?.uid).not.toBe(made?.uid);
  });

  test(`is ${isRoot ? 'another for root' : 'our own for an ordinary user'}`, () => {
    expect(postgresAccount() === undefined).toBe(!isRoot);
  });
});
