import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { SignedDataVerifier } from '@apple/app-store-server-library';
import fc from 'fast-check';
import { SignatureError, type SignatureFault } from '../../../src/providers/store-server/port.ts';
import {
  APPLE_ROOT_CA_G3_SHA256,
  loadRootCertificates,
} from '../../../src/providers/store-server/roots.ts';
import { createSignatureVerifier } from '../../../src/providers/store-server/verifier.ts';
import { notificationPayload, transactionPayload } from '../../simulators/store-server/payloads.ts';
import { base64url, createPki, type Pki, signJws } from '../../simulators/store-server/pki.ts';

const BUNDLE = 'com.example.focus';
const transaction = () => transactionPayload({ bundleId: BUNDLE });

let pki: Pki;
beforeAll(async () => {
  pki = await createPki();
});

const verifier = (options = {}) => createSignatureVerifier({ roots: [pki.rootDer], ...options });

async function faultOf(work: Promise<unknown>): Promise<SignatureFault | 'none'> {
  try {
    await work;
    return 'none';
  } catch (thrown) {
    if (thrown instanceof SignatureError) return thrown.fault;
    throw thrown;
  }
}

describe('what the store signed', () => {
  test('is opened', async () => {
    const { snapshot: opened } = await verifier().transaction(
      signJws(pki, { ...transaction(), appAccountToken: '6F9619FF-8B86-D011-B42D-00C04FC964FF' }),
    );
    expect(opened.bundleId).toBe(BUNDLE);
    expect(opened.type).toBe('subscription');
    expect(opened.appAccountToken).toBe('6f9619ff-8b86-d011-b42d-00c04fc964ff');
  });

  test('is opened after it was delivered late, by the time it was signed at', async () => {
    const long = Date.now() - 400 * 86_400_000;
    const opened = verifier().transaction(signJws(pki, { ...transaction(), signedDate: long }));
    expect((await opened).snapshot.signedAt).toBe(long);
  });

  test('is opened when the store signs with a renewed leaf', async () => {
    const shared = verifier();
    for (let round = 0; round < 3; round += 1) {
      const signer = await pki.renewed();
      expect(await faultOf(shared.transaction(signJws(signer, transaction())))).toBe('none');
    }
  });

  test('is opened however many chains there are (the library stops at the 33rd)', async () => {
    const seen: string[] = [];
    const shared = verifier({
      onChain: (chain: { fingerprint: string }) => seen.push(chain.fingerprint),
    });
    for (let round = 0; round < 70; round += 1) {
      const signer = await pki.renewed();
      expect(await faultOf(shared.transaction(signJws(signer, transaction())))).toBe('none');
    }
    expect(new Set(seen).size).toBe(70);
  });

  test('an unknown notification type is opened', async () => {
    const payload = notificationPayload({
      notificationType: 'SOMETHING_NEW',
      data: { bundleId: BUNDLE, bundleVersion: '1', environment: 'Sandbox' },
    });
    const opened = await verifier().notification(signJws(pki, payload));
    expect(opened).toMatchObject({
      type: 'SOMETHING_NEW',
      environment: 'Sandbox',
      appAppleId: null,
    });
  });
});

describe('a signature fault is refused', () => {
  const open = (jws: string) => faultOf(verifier().transaction(jws));

  test('wrong root', async () => {
    const other = await createPki();
    expect(await open(signJws(other, transaction()))).toBe('signature');
  });

  test('wrong root although its certificate is sent along', async () => {
    const other = await createPki();
    const x5c = [other.x5c[0], other.x5c[1], pki.x5c[2]];
    expect(await open(signJws(other, transaction(), { header: { x5c } }))).toBe('signature');
  });

  test('wrong marker in the leaf', async () => {
    const signer = await pki.renewed({ leafMarker: '1.2.840.113635.100.6.11.2' });
    expect(await open(signJws(signer, transaction()))).toBe('signature');
  });

  test('wrong marker in the intermediate', async () => {
    const signer = await pki.renewed({ intermediateMarker: '1.2.840.113635.100.6.2.2' });
    expect(await open(signJws(signer, transaction()))).toBe('signature');
  });

  test('expired when it was signed', async () => {
    const signer = await pki.renewed({
      notBefore: new Date(Date.now() - 3 * 86_400_000),
      notAfter: new Date(Date.now() - 86_400_000),
    });
    expect(await open(signJws(signer, transaction()))).toBe('certificate');
  });

  test('expired is refused also after the chain was trusted at an earlier date', async () => {
    const shared = verifier();
    const signer = await pki.renewed({ notAfter: new Date(Date.now() - 86_400_000) });
    const early = { ...transaction(), signedDate: Date.now() - 2 * 86_400_000 };
    expect(await faultOf(shared.transaction(signJws(signer, early)))).toBe('none');
    expect(await faultOf(shared.transaction(signJws(signer, transaction())))).toBe('certificate');
  });

  test('alg none', async () => {
    const header = base64url({ alg: 'none', x5c: pki.x5c });
    expect(await open(`${header}.${base64url(transaction())}.`)).toBe('algorithm');
  });

  test('HS256 with the public key as the secret', async () => {
    const body = `${base64url({ alg: 'HS256', x5c: pki.x5c })}.${base64url(transaction())}`;
    const mac = createHmac('sha256', pki.leafPublicPem).update(body).digest('base64url');
    expect(await open(`${body}.${mac}`)).toBe('algorithm');
  });

  test('a signature in DER', async () => {
    expect(await open(signJws(pki, transaction(), { encoding: 'der' }))).toBe('signature');
  });

  test('cut', async () => {
    const whole = signJws(pki, transaction());
    expect(await open(whole.slice(0, -12))).toBe('signature');
    expect(await open(whole.slice(0, whole.lastIndexOf('.')))).toBe('malformed');
  });

  test('two certificates', async () => {
    const header = { x5c: pki.x5c.slice(0, 2) };
    expect(await open(signJws(pki, transaction(), { header }))).toBe('chain');
  });

  test('four certificates, none, and one that is no text', async () => {
    for (const x5c of [[...pki.x5c, pki.x5c[2]], [], undefined, [1, 2, 3]]) {
      expect(await open(signJws(pki, transaction(), { header: { x5c } }))).toBe('chain');
    }
  });

  test('certificates that are none', async () => {
    const header = { x5c: ['AAAA', 'BBBB', 'CCCC'] };
    expect(await open(signJws(pki, transaction(), { header }))).toBe('certificate');
  });

  test('a payload changed after it was signed', async () => {
    const [header, , signature] = signJws(pki, transaction()).split('.');
    const body = base64url({ ...transaction(), expiresDate: 4_102_444_800_000 });
    expect(await open(`${header}.${body}.${signature}`)).toBe('signature');
  });

  test('a leaf that was signed by another leaf', async () => {
    const other = await createPki();
    const x5c = [other.x5c[0], pki.x5c[1], pki.x5c[2]];
    expect(await open(signJws(other, transaction(), { header: { x5c } }))).toBe('signature');
  });

  test('the environments that skip signatures, signed or not', async () => {
    for (const environment of ['Xcode', 'LocalTesting', 'production', '']) {
      expect(await open(signJws(pki, { ...transaction(), environment }))).toBe('environment');
    }
    const unsigned = base64url({ ...transaction(), environment: 'Xcode' });
    expect(await open(`${base64url({ alg: 'none' })}.${unsigned}.`)).toBe('algorithm');
  });

  test('a payload of another kind', async () => {
    const renewal = { originalTransactionId: '1', signedDate: 1, environment: 'Production' };
    expect(await open(signJws(pki, renewal))).not.toBe('none');
    expect(await open(signJws(pki, [1, 2]))).not.toBe('none');
    expect(await open(signJws(pki, { ...transaction(), signedDate: undefined }))).not.toBe('none');
  });

  test('a chain that the background check found revoked', async () => {
    const revoked = new Set<string>();
    const shared = verifier({
      onChain: (chain: { fingerprint: string }) => revoked.add(chain.fingerprint),
      isRevoked: (fingerprint: string) => revoked.has(fingerprint),
    });
    expect(await faultOf(shared.transaction(signJws(pki, transaction())))).toBe('none');
    expect(await faultOf(shared.transaction(signJws(pki, transaction())))).toBe('revoked');
  });
});

describe('what the store did not sign never reaches the parser of whole certificates', () => {
  const parser = spyOn(SignedDataVerifier.prototype as any, 'verifyCertificateChainWithoutCaching');
  beforeEach(() => {
    parser.mockClear();
  });
  const withRoot = (forger: Pki, top: string) => ({ x5c: [forger.x5c[0], forger.x5c[1], top] });

  test('a chain of a stranger, alone or with the pinned root beside it', async () => {
    const forger = await createPki({ extensions: 40 });
    const own = signJws(forger, transaction());
    const besides = signJws(forger, transaction(), { header: withRoot(forger, pki.x5c[2]) });
    for (const jws of [own, besides]) {
      expect(await faultOf(verifier().transaction(jws))).toBe('signature');
      expect(await faultOf(verifier().notification(jws))).toBe('signature');
      expect(await faultOf(verifier().renewal(jws))).toBe('signature');
    }
    expect(parser).not.toHaveBeenCalled();
  });

  test("a stranger's leaf under the store's own intermediate", async () => {
    const forger = await createPki();
    const header = { x5c: [forger.x5c[0], pki.x5c[1], pki.x5c[2]] };
    const jws = signJws(forger, transaction(), { header });
    expect(await faultOf(verifier().transaction(jws))).toBe('signature');
    expect(parser).not.toHaveBeenCalled();
  });

  test('certificates of more than 4 KB, whoever signed them', async () => {
    const large = await pki.renewed({ extensions: 600 });
    expect(Buffer.from(large.x5c[0], 'base64').length).toBeGreaterThan(4_096);
    expect(await faultOf(verifier().transaction(signJws(large, transaction())))).toBe(
      'certificate',
    );
    expect(parser).not.toHaveBeenCalled();
  });

  test('a trusted chain is read once, also where it is sent with a date outside of its own', async () => {
    const shared = verifier();
    expect(await faultOf(shared.transaction(signJws(pki, transaction())))).toBe('none');
    const late = { ...transaction(), signedDate: Date.now() + 50 * 365 * 86_400_000 };
    expect(await faultOf(shared.transaction(signJws(pki, late)))).toBe('certificate');
    expect(await faultOf(shared.transaction(signJws(pki, transaction())))).toBe('none');
    expect(parser).toHaveBeenCalledTimes(1);
  });

  test('a root that was issued again for the same key is the pinned one', async () => {
    const again = await pki.reissuedRoot();
    expect(again).not.toBe(pki.x5c[2]);
    const header = { x5c: [pki.x5c[0], pki.x5c[1], again] };
    const jws = signJws(pki, transaction(), { header });
    expect(await faultOf(verifier().transaction(jws))).toBe('none');
  });
});

describe('whatever is sent', () => {
  test('random bytes, also in the shape of a JWS, are refused and never break anything', async () => {
    const shared = verifier();
    const part = fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => Buffer.from(bytes).toString('base64url'));
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
      fc
        .tuple(fc.json(), fc.json(), part)
        .map(([h, p, s]) => `${base64url(h)}.${base64url(p)}.${s}`),
    );
    await fc.assert(
      fc.asyncProperty(
        anything,
        async (jws) => (await faultOf(shared.notification(jws))) !== 'none',
      ),
      { numRuns: 3_000 },
    );
  });

  test('one changed character anywhere is refused', async () => {
    const jws = signJws(pki, transaction());
    const shared = verifier();
    const place = fc.nat({ max: jws.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...'AZaz09-_.'), async (at, letter) => {
        fc.pre(jws[at] !== letter);
        const changed = jws.slice(0, at) + letter + jws.slice(at + 1);
        const fault = await faultOf(shared.transaction(changed));
        if (fault !== 'none') return true;
        // Base64 has spare bits at a part's end: the bytes can be the same after all.
        const bytes = (text: string) =>
          text.split('.').map((one) => Buffer.from(one, 'base64url').toString('hex'));
        const [header, ...rest] = bytes(changed);
        const [, ...same] = bytes(jws);
        return header !== undefined && rest.join() === same.join();
      }),
      { numRuns: 400 },
    );
  });
});

describe('pinned roots', () => {
  test('the shipped one is Apple Root CA – G3', () => {
    expect(loadRootCertificates([])).toHaveLength(1);
    expect(APPLE_ROOT_CA_G3_SHA256).toStartWith('63:34:3A:BF');
  });

  test('files may be PEM or DER; what is no certificate stops the start', async () => {
    const dir = `${import.meta.dir}/../../../node_modules/.cache`;
    await Bun.write(`${dir}/root.pem`, pki.rootPem);
    await Bun.write(`${dir}/root.der`, pki.rootDer);
    await Bun.write(`${dir}/junk.pem`, 'no certificate');
    expect(loadRootCertificates([`${dir}/root.pem`, `${dir}/root.der`])).toEqual([
      pki.rootDer,
      pki.rootDer,
    ]);
    expect(() => loadRootCertificates([`${dir}/junk.pem`])).toThrow('not a certificate');
    expect(() => loadRootCertificates([`${dir}/absent.pem`])).toThrow('not a certificate');
  });
});
