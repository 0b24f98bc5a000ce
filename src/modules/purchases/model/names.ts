import { FIELD_RULES } from '../../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { STORES } from '../../../shared/stores.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { PRODUCT_KINDS, PRODUCT_PERIODS, PRODUCT_STATES } from '../../../shared/store-product.ts';
import { Text } from '../../../shared/text.ts';
import { ENTITLEMENT_STATUSES } from './status.ts';

export const MAX_NAMES = 50;
const MAX_PRODUCTS_OF_NAME = 50;

export const UNKNOWN_NAME = 'must be the name of an entitlement of this app';

export const EntitlementName = Type.String({
  ...FIELD_RULES.entitlementName,
  description: 'What apps ask for, such as `pro`.',
});

export const NamedEntitlement = Named(
  'NamedEntitlement',
  {
    name: EntitlementName,
    productIds: Type.Array(Text(1, 256), {
      minItems: 1,
      maxItems: MAX_PRODUCTS_OF_NAME,
      uniqueItems: true,
      description: 'Any of them gives what the name stands for.',
    }),
  },
  { additionalProperties: false },
);
export type NamedEntitlement = Static<typeof NamedEntitlement>;

const Names = Type.Array(NamedEntitlement, { maxItems: MAX_NAMES });

export const KnownProduct = Named('KnownProduct', {
  id: Type.String(),
  isBought: Type.Boolean({ description: 'Seen in a signed transaction of either environment.' }),
  isReported: Type.Boolean({ description: "In the store's sales reports of this app." }),
  listed: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        kind: OneOf(PRODUCT_KINDS),
        period: Nullable(OneOf(PRODUCT_PERIODS, { description: 'Null unless it renews.' })),
        group: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
        level: Nullable(Type.Integer({ description: 'In its group; 1 is the highest.' })),
        familySharable: Type.Boolean(),
        state: OneOf(PRODUCT_STATES),
      },
      { description: 'As the catalogue of the store has it; missing where that has it not.' },
    ),
  ),
});
export type KnownProduct = Static<typeof KnownProduct>;

export const MAX_KNOWN_PRODUCTS = 1_000;

const PRO = { name: 'pro', productIds: ['pro.monthly', 'pro.yearly', 'pro.lifetime'] };

export const NamedEntitlements = Named('NamedEntitlements', {
  entitlements: Names,
  products: Type.Array(KnownProduct, {
    maxItems: MAX_KNOWN_PRODUCTS,
    description: 'Those that names may stand for, by id.',
  }),
  isCatalogueRefused: Type.Optional(
    Type.Boolean({
      description:
        'True where the key may not read the catalogue of the store: products are those that were bought or reported.',
    }),
  ),
});
export type NamedEntitlements = Static<typeof NamedEntitlements>;

export const NamedEntitlementsBody = Named(
  'NewNamedEntitlements',
  { entitlements: Names },
  { additionalProperties: false, examples: [{ entitlements: [PRO] }] },
);
export type NamedEntitlementsInput = Static<typeof NamedEntitlementsBody>;

export const EntitlementOfName = Named('EntitlementOfName', {
  name: Type.String(),
  status: OneOf(ENTITLEMENT_STATUSES),
  productId: Nullable(Type.String()),
  expiresAt: Nullable(DateTime),
  willRenew: Type.Boolean(),
  store: Nullable(OneOf(STORES, { description: 'Null for a grant, and without a purchase.' })),
  environment: OneOf(STORE_ENVIRONMENTS),
});
export type EntitlementOfName = Static<typeof EntitlementOfName>;
