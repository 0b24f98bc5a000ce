import { afterAll, beforeAll, expect, test } from 'bun:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { PushRefused } from '../../../../src/providers/play-store/port.ts';
import { createPushVerifier } from '../../../../src/providers/play-store/push.ts';
import { ProviderError } from '../../../../src/shared/provider-error.ts';
import { type Simulator, startSimulator } from '../../../simulators/kit/server.ts';

const NOW = new Date('2026-11-27T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1_000;
const SENDER = {
  audience: 'https://api.example.com/push',
  email: 'push@example.iam.gserviceaccount.com',
};
const CLAIMS = {
  iss: 'https://accounts.google.com',
  aud: SENDER.audience,
  email: SENDER.email,
  email_verified: true,
  iat: SECONDS,
  exp: SECONDS + 3_600,
};

const pair = await generateKeyPair('RS256');
const other = await generateKeyPair('RS256');
let google: Simulator;

beforeAll(async () => {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  google = await startSimulator(() => ({ status: 200, json: { keys: [jwk] } }));
});
afterAll(() => google.stop());

const newVerifier = () => createPushVerifier({ certsUrl: `${google.url}/certs`, clock: () => NOW });

async function bearer(claims: Record<string, unknown>, kid = 'k1', key = pair.privateKey) {
  return `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key)}`;
}

test('a push that Google signed for the sender is taken', async () => {
  await newVerifier()(await bearer(CLAIMS), SENDER);
});

test('every other one is refused', async () => {
  const { exp: _, ...endless } = CLAIMS;
  const refused = [
    null,
    'Bearer ',
    'Basic abc',
    'Bearer a.b.c',
    await bearer({ ...CLAIMS, aud: 'https://api.example.com/other' }),
    await bearer({ ...CLAIMS, iss: 'https://attacker.example' }),
    await bearer({ ...CLAIMS, email: 'other@example.iam.gserviceaccount.com' }),
    await bearer({ ...CLAIMS, email_verified: false }),
    await bearer({ ...CLAIMS, exp: SECONDS - 301 }),
    await bearer(endless),
    await bearer(CLAIMS, 'k1', other.privateKey),
    await bearer(CLAIMS, 'k2'),
  ];
  const verify = newVerifier();
  for (const authorization of refused) {
    await expect(verify(authorization, SENDER)).rejects.toBeInstanceOf(PushRefused);
  }
});

test('forged key ids ask Google once', async () => {
  const verify = newVerifier();
  await verify(await bearer(CLAIMS), SENDER);
  const before = google.requests.length;
  for (let forged = 0; forged < 20; forged += 1) {
    await verify(await bearer(CLAIMS, `forged-${forged}`), SENDER).catch(() => null);
  }
  expect(google.requests.length - before).toBeLessThanOrEqual(1);
});

test('keys that cannot be had are no refusal: the push comes again', async () => {
  google.faults.next({ kind: 'body', body: '{"keys":1}' });
  const withoutKeys = newVerifier()(await bearer(CLAIMS), SENDER);
  await expect(withoutKeys).rejects.toBeInstanceOf(ProviderError);
  google.faults.next({ kind: 'status', status: 500, body: '' });
  await expect(newVerifier()(await bearer(CLAIMS), SENDER)).rejects.toBeInstanceOf(ProviderError);
});
