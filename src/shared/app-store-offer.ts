import { sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { type AppStoreKey, readPrivateKey } from './app-store-token.ts';
import { SECOND_MS } from './time.ts';

type AppKey = AppStoreKey & { bundleId: string };

export type NonceOffer = {
  productId: string;
  offerId: string;
  /** Empty without one. */
  appAccountToken: string;
  nonce: string;
  /** Epoch milliseconds. */
  timestamp: number;
};

/** The bytes that StoreKit's first form signs. */
export function nonceOfferText(key: Pick<AppKey, 'bundleId' | 'keyId'>, offer: NonceOffer): string {
  return [
    key.bundleId,
    key.keyId,
    offer.productId,
    offer.offerId,
    offer.appAccountToken.toLowerCase(),
    offer.nonce.toLowerCase(),
    String(offer.timestamp),
  ].join('\u2063');
}

/** DER in base64. */
export function signNonceOffer(key: AppKey, offer: NonceOffer): string {
  const text = Buffer.from(nonceOfferText(key, offer), 'utf8');
  return sign('sha256', text, readPrivateKey(key.privateKey)).toString('base64');
}

export type OfferClaims =
  | { aud: 'promotional-offer'; productId: string; offerIdentifier: string; transactionId?: string }
  | {
      aud: 'introductory-offer-eligibility';
      productId: string;
      allowIntroductoryOffer: boolean;
      transactionId: string;
    };

/** Without an expiry, as the store wants it. */
export function signOfferJws(
  key: AppKey,
  claims: OfferClaims,
  { nonce, now }: { nonce: string; now: Date },
): Promise<string> {
  const iat = Math.floor(now.getTime() / SECOND_MS);
  return new SignJWT({ ...claims, iss: key.issuerId, bid: key.bundleId, iat, nonce })
    .setProtectedHeader({ alg: 'ES256', kid: key.keyId, typ: 'JWT' })
    .sign(readPrivateKey(key.privateKey));
}
