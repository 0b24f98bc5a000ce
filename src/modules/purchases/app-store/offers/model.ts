import { type Static, Type } from '@sinclair/typebox';
import { Named, Nullable, OneOf, Tolerant } from '../../../../shared/schema.ts';
import { Text } from '../../../../shared/text.ts';

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const AppAccountToken = Type.String({ pattern: UUID });

const SIGNED_KINDS = ['promotional', 'promotional_jws', 'introductory'] as const;

const WANTED = {
  kind: OneOf([...SIGNED_KINDS, 'win_back'], {
    description:
      '`promotional`: signature, nonce and timestamp of a promotional offer; `promotional_jws`: the newer form, one JWS; `introductory`: a JWS that allows an introductory offer, or does not. A `win_back` offer takes no signature of a server and is refused.',
  }),
  productId: Text(1, 256),
  offerId: Type.Optional(Text(1, 256, { description: 'Of a promotional offer: its identifier.' })),
  appAccountToken: Type.Optional({
    ...AppAccountToken,
    description: 'Of `promotional`: the account token that the purchase is made with.',
  }),
};
type Wanted = Static<ReturnType<typeof Type.Object<typeof WANTED>>>;

export const SignOfferBody = Tolerant(
  {
    ...WANTED,
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 60_000,
      description: 'Any transaction of this customer, as StoreKit signed it: who they are.',
    }),
  },
  {
    title: 'SignOfferBody',
    examples: [
      {
        kind: 'promotional',
        productId: 'pro.yearly',
        offerId: 'half_price',
        signedTransaction:
          'eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImNvbS5leGFtcGxlIn0.c2lnbmF0dXJl',
      },
    ],
  },
);
export type SignOfferInput = Wanted & { signedTransaction: string };

export const SignOfferForBody = Named(
  'SignOfferForCustomerBody',
  {
    ...WANTED,
    userId: Type.Optional(Text(1, 128)),
    anonymousId: Type.Optional(Text(8, 128)),
    originalTransactionId: Type.Optional(Text(1, 128)),
    allowIntroductoryOffer: Type.Optional(
      Type.Boolean({
        whenLeftOut: true,
        description: 'Of `introductory`: false keeps somebody from it who could have it.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        kind: 'promotional_jws',
        productId: 'pro.yearly',
        offerId: 'half_price',
        userId: 'user-8271',
      },
    ],
  },
);
export type SignOfferForInput = Static<typeof SignOfferForBody>;

export const OfferSignature = Named('OfferSignature', {
  kind: OneOf(SIGNED_KINDS),
  productId: Type.String(),
  offerId: Nullable(Type.String()),
  keyId: Type.String(),
  nonce: Type.String({ description: 'Good for one try to buy, also for one that fails.' }),
  timestamp: Type.Integer({
    description: 'Epoch milliseconds. `promotional` is good for 24 hours from then.',
  }),
  appAccountToken: Nullable(Type.String()),
  signature: Nullable(
    Type.String({ description: 'Of `promotional`, in base64: pass it on decoded once.' }),
  ),
  jws: Nullable(Type.String({ description: 'Of the other kinds.' })),
});
export type OfferSignature = Static<typeof OfferSignature>;
