import { expect, test } from 'bun:test';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  IntroductoryOfferEligibilitySignatureCreator,
  PromotionalOfferSignatureCreator,
  PromotionalOfferV2SignatureCreator,
} from '@apple/app-store-server-library';
import fc from 'fast-check';
import {
  type Bought,
  refuseIntroductory,
  refusePromotional,
} from '../../../src/modules/purchases/app-store/offers/eligibility.ts';
import {
  nonceOfferText,
  type OfferClaims,
  signNonceOffer,
  signOfferJws,
} from '../../../src/shared/app-store-offer.ts';

const pem = readFileSync('test/fixtures/app-store-server-library/testSigningKey.p8', 'utf8');
const publicKey = createPublicKey(pem);
const key = { privateKey: pem, keyId: 'keyId', issuerId: 'issuerId', bundleId: 'bundleId' };
const offer = {
  productId: 'productId',
  offerId: 'offerId',
  appAccountToken: 'appAccountToken',
  nonce: '20fba8a0-2b80-4a7d-a17f-85c1854727f8',
  timestamp: 1_698_148_900_000,
};
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const isOf = (text: string, signature: string) =>
  verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));

test('the first form signs the bytes that the store computes', () => {
  const text = nonceOfferText(key, offer);
  expect(Buffer.byteLength(text)).toBe(111);
  expect(sha256(text)).toBe('8c7c02a364d7196e9c88815aeecb5e130fd00132172defbb54a75ef9807360ee');
  expect(Buffer.byteLength(nonceOfferText(key, { ...offer, appAccountToken: '' }))).toBe(96);
  expect(sha256(publicKey.export({ type: 'spki', format: 'der' }))).toBe(
    'ea21cb33a0788ee51795f2a26a67d4bf28d8d0d291e63d0dd0f8f9c05e308b89',
  );
});

test('our signatures of the first form and those of the library are over the same bytes', () => {
  const library = new PromotionalOfferSignatureCreator(pem, 'keyId', 'bundleId');
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.uuid(), fc.uuid(), fc.nat(), (...drawn) => {
      const [productId, offerId, token, nonce, timestamp] = drawn;
      for (const appAccountToken of ['', token, token.toUpperCase()]) {
        const asked = { productId, offerId, appAccountToken, nonce, timestamp };
        const text = nonceOfferText(key, asked);
        const theirs = library.createSignature(
          ...([productId, offerId, appAccountToken] as const),
          ...([nonce, timestamp] as const),
        );
        expect(isOf(text, signNonceOffer(key, asked))).toBe(true);
        expect(isOf(text, theirs)).toBe(true);
        expect(isOf(`${text} `, theirs)).toBe(false);
      }
    }),
  );
});

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));

function opened(jws: string) {
  const [header, claims, signature] = jws.split('.');
  const raw = Buffer.from(signature ?? '', 'base64url');
  expect(raw.length).toBe(64);
  const by = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), by, raw)).toBe(true);
  return { header: decode(header), claims: decode(claims) };
}

test('our JWS say what those of the library say, but for nonce and time', async () => {
  const promotional = new PromotionalOfferV2SignatureCreator(pem, 'keyId', 'issuerId', 'bundleId');
  const introductory = new IntroductoryOfferEligibilitySignatureCreator(
    ...([pem, 'keyId', 'issuerId', 'bundleId'] as const),
  );
  const offered = {
    aud: 'promotional-offer',
    productId: 'productId',
    offerIdentifier: 'offerIdentifier',
  } as const;
  const allowed = {
    aud: 'introductory-offer-eligibility',
    productId: 'productId',
    allowIntroductoryOffer: true,
    transactionId: 'transactionId',
  } as const;
  const pairs: [string, OfferClaims][] = [
    [promotional.createSignature('productId', 'offerIdentifier'), offered],
    [
      promotional.createSignature('productId', 'offerIdentifier', 'transactionId'),
      { ...offered, transactionId: 'transactionId' },
    ],
    [introductory.createSignature('productId', true, 'transactionId'), allowed],
    [
      introductory.createSignature('productId', false, 'transactionId'),
      { ...allowed, allowIntroductoryOffer: false },
    ],
  ];
  for (const [theirs, claims] of pairs) {
    const now = new Date('2026-05-01T12:00:00.900Z');
    const nonce = crypto.randomUUID();
    const ours = opened(await signOfferJws(key, claims, { nonce, now }));
    const expected = opened(theirs);
    expect(ours.header).toEqual(expected.header);
    expect(ours.claims).toEqual({
      ...expected.claims,
      nonce,
      iat: Math.floor(now.getTime() / 1_000),
    });
    expect(ours.claims).not.toHaveProperty('exp');
  }
});

const group = fc.constantFrom('a', 'b', null);
const bought: fc.Arbitrary<Bought[]> = fc.array(
  fc.record({
    group,
    isSubscription: fc.boolean(),
    isShared: fc.boolean(),
    isIntroductory: fc.boolean(),
  }),
  { maxLength: 6 },
);

test('who may have an offer equals a plain loop', () => {
  fc.assert(
    fc.property(group, bought, (wanted, all) => {
      let isSubscriber = false;
      let isIntroduced = false;
      for (const one of all) {
        if (!one.isSubscription || one.isShared) continue;
        if (wanted !== null && one.group === wanted) isSubscriber = true;
        const isElsewhere = wanted !== null && one.group !== null && one.group !== wanted;
        if (one.isIntroductory && !isElsewhere) isIntroduced = true;
      }
      expect(refusePromotional(wanted, all) === null).toBe(isSubscriber);
      expect(refuseIntroductory(wanted, all) === null).toBe(!isIntroduced);
    }),
    { numRuns: 2_000 },
  );
});
