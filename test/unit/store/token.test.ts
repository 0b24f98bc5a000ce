import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { mintToken, tokenCache } from '../../../src/providers/store/token.ts';
import { readPrivateKey } from '../../../src/shared/app-store-token.ts';
import { authenticate, makeKey } from '../../simulators/store/auth.ts';

const key = makeKey('57246542-96fe-1a63-e053-0824d011072a', 'ABCDE12345');
const NOW = new Date('2026-03-08T10:00:00Z');
const accepted = (token: string, at = NOW) => authenticate(`Bearer ${token}`, [key], at);

describe('tokens', () => {
  test('the strict reader accepts them now and until they end', async () => {
    const token = await mintToken(key, NOW);
    expect(accepted(token)).toBe(key);
    expect(accepted(token, new Date(NOW.getTime() + 11 * 60_000))).toBe(key);
    expect(accepted(token, new Date(NOW.getTime() + 12 * 60_000))).toBe('expired');
  });

  test('a clock that runs half a minute ahead is tolerated', async () => {
    expect(accepted(await mintToken(key, new Date(NOW.getTime() + 30_000)))).toBe(key);
  });

  test.each([
    [{ keyId: 'ZZZZZ99999' }, 'unknown key'],
    [{ issuerId: 'someone-else' }, 'unknown key'],
    [{ privateKey: makeKey('x', 'y').privateKey }, 'signature'],
  ])('%o is refused', async (change, why) => {
    expect(accepted(await mintToken({ ...key, ...change }, NOW))).toBe(why);
  });

  test('one is used again until shortly before its end', async () => {
    let now = NOW;
    const tokenFor = tokenCache(() => now);
    const first = await tokenFor(key);
    now = new Date(NOW.getTime() + 9 * 60_000);
    expect(await tokenFor(key)).toBe(first);
    now = new Date(NOW.getTime() + 10 * 60_000);
    const second = await tokenFor(key);
    expect(second).not.toBe(first);
    expect(accepted(second, now)).toBe(key);
  });

  test('another private key under the same id gets its own token', async () => {
    const tokenFor = tokenCache(() => NOW);
    const other = { ...key, privateKey: makeKey('x', 'y').privateKey };
    expect(await tokenFor(other)).not.toBe(await tokenFor(key));
  });
});

describe('private keys', () => {
  const pem = (curve: string) =>
    String(
      generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({
        format: 'pem',
        type: 'pkcs8',
      }),
    );

  test('P-256 only', () => {
    expect(readPrivateKey(pem('P-256')).type).toBe('private');
    expect(() => readPrivateKey(pem('P-384'))).toThrow('P-256');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const rsaPem = String(rsa.export({ format: 'pem', type: 'pkcs8' }));
    expect(() => readPrivateKey(rsaPem)).toThrow('P-256');
  });

  test('what is no key is refused without repeating it', () => {
    const secretish = `-----BEGIN PRIVATE KEY-----\n${'c2VjcmV0'.repeat(20)}\n-----END PRIVATE KEY-----`;
    expect(() => readPrivateKey(secretish)).toThrow('PKCS#8');
    try {
      readPrivateKey(secretish);
    } catch (thrown) {
      expect(String(thrown)).not.toContain('c2VjcmV0');
    }
  });
});
