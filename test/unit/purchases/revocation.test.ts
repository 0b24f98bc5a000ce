import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { askRevocation } from '../../../src/providers/store-server/revocation.ts';
import { ProviderError } from '../../../src/shared/provider-error.ts';
import { type ResponderSimulator, startResponder } from '../../simulators/store-server/ocsp.ts';
import { createPki, type Pki } from '../../simulators/store-server/pki.ts';

let responder: ResponderSimulator;
let pki: Pki;

beforeAll(async () => {
  responder = await startResponder();
  pki = await createPki({ ocspUrl: `${responder.url}/ocsp` });
  await responder.serve(pki);
});
afterAll(() => responder.stop());
beforeEach(() => {
  responder.fault = 'none';
  responder.revoked.clear();
});

const chainOf = ({ x5c }: Pick<Pki, 'x5c'>) => ({
  leaf: Buffer.from(x5c[0], 'base64'),
  intermediate: Buffer.from(x5c[1], 'base64'),
});
const ask = (one: Pick<Pki, 'x5c'> = pki) => askRevocation(chainOf(one), [pki.rootDer], new Date());
const serialOf = (index: 0 | 1) =>
  BigInt(`0x${new X509Certificate(Buffer.from(pki.x5c[index], 'base64')).serialNumber}`);

async function failureOf(work: Promise<unknown>) {
  return work.then(
    (answer) => answer,
    (thrown) => (thrown instanceof ProviderError ? thrown.failure : String(thrown)),
  );
}

describe('the responders of the authorities', () => {
  test('say that a chain is good', async () => {
    expect(await ask()).toBe('good');
  });

  test.each([0, 1] as const)('say that certificate %d of it is revoked', async (index) => {
    responder.revoked.add(serialOf(index));
    expect(await ask()).toBe('revoked');
  });

  test.each(['unauthorized_signer', 'stale', 'unknown', 'tampered', 'junk'] as const)(
    'are not believed when their answer is wrong: %s',
    async (fault) => {
      responder.revoked.add(serialOf(0));
      responder.fault = fault;
      expect(await failureOf(ask())).toBe('malformed');
    },
  );

  test('may be away', async () => {
    responder.fault = 'away';
    expect(await failureOf(ask())).toBe('unavailable');
  });

  test('are not asked about certificates that name none, or lead to another root', async () => {
    expect(await failureOf(ask(await pki.renewed({ ocspUrl: '' })))).toBe('malformed');
    expect(await failureOf(ask(await createPki()))).toBe('malformed');
  });
});
