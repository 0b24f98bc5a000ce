import { describe, expect, test } from 'bun:test';
import pino from 'pino';
import {
  checkCertificates,
  createChainWatch,
} from '../../../src/modules/purchases/app-store/certificates/chain-watch.ts';
import type { Revocation } from '../../../src/providers/store-server/revocation.ts';
import { createSignatureVerifier } from '../../../src/providers/store-server/verifier.ts';
import { ProviderError } from '../../../src/shared/provider-error.ts';
import { transactionPayload } from '../../simulators/store-server/payloads.ts';
import { createPki, signJws } from '../../simulators/store-server/pki.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const HOUR = 3_600_000;
const { sql } = await testDatabase();
const log = pino({ level: 'silent' });
const pki = await createPki();
let now = Date.now();
let asked = 0;
let say: () => Revocation = () => 'good';
const clock = () => new Date(now);
const deps = {
  sql,
  clock,
  log,
  askRevocation: async () => {
    asked += 1;
    return say();
  },
};
const verifier = createSignatureVerifier({
  roots: [pki.rootDer],
  ...createChainWatch(sql, clock, log),
});
const open = () => verifier.transaction(signJws(pki, transactionPayload({ bundleId: 'com.a' })));

describe('the certificates of the store', () => {
  test('are noted when they are first trusted, and asked about once a day', async () => {
    await open();
    await until('the chain is noted', async () => {
      return (await sql`SELECT 1 FROM store_certificate_chains`).length === 1;
    });
    await checkCertificates(deps);
    await checkCertificates(deps);
    expect(asked).toBe(1);
    now += 25 * HOUR;
    await checkCertificates(deps);
    expect(asked).toBe(2);
  });

  test('are still trusted without an answer, and asked about again an hour later', async () => {
    now += 25 * HOUR;
    say = () => {
      throw new ProviderError('unavailable', 'The responder is away.');
    };
    await checkCertificates(deps);
    await checkCertificates(deps);
    expect(asked).toBe(3);
    await open();
    now += 2 * HOUR;
    await checkCertificates(deps);
    expect(asked).toBe(4);
  });

  test('are refused from then on when they are revoked', async () => {
    now += 2 * HOUR;
    say = () => 'revoked';
    await checkCertificates(deps);
    const isRefused = async () => {
      // Another minute: the verifier looks at the list again.
      now += 60_000;
      return open().then(
        () => false,
        (thrown) => thrown.fault === 'revoked',
      );
    };
    await until('it is refused', isRefused);
    now += 48 * HOUR;
    const before = asked;
    await checkCertificates(deps);
    expect(asked).toBe(before);
  });
});
