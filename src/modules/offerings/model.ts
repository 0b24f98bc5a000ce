import { type Static, Type } from '@sinclair/typebox';
import { CONTEXT_FIELDS, eachOf } from '../../shared/event-fields.ts';
import { Named, Nullable, OneOf, Tolerant } from '../../shared/schema.ts';
import { DeviceText, Name, Text } from '../../shared/text.ts';

export const MAX_OFFERINGS = 20;
const MAX_PACKAGES = 20;
const MAX_PRODUCTS = 10;
export const MAX_METADATA_BYTES = 16 * 1024;

const STRICT = { additionalProperties: false };
const Identifier = Type.String({ pattern: '^[A-Za-z0-9$][A-Za-z0-9._$-]{0,63}$' });
const Metadata = Type.Optional(
  Type.Unknown({ description: `Any JSON, at most ${MAX_METADATA_BYTES} bytes; sent as it is.` }),
);

const Package = Named(
  'OfferingPackage',
  {
    identifier: Identifier,
    productIds: Type.Array(Text(1, 256), {
      minItems: 1,
      maxItems: MAX_PRODUCTS,
      uniqueItems: true,
      description: 'Of the app, in order; usually one for each store.',
    }),
    metadata: Metadata,
  },
  STRICT,
);

export const Offering = Named(
  'Offering',
  {
    identifier: Identifier,
    name: Name(1, 80),
    packages: Type.Array(Package, { minItems: 1, maxItems: MAX_PACKAGES }),
    metadata: Metadata,
  },
  STRICT,
);
export type Offering = Static<typeof Offering>;

const SETTINGS = {
  offerings: Type.Array(Offering, { maxItems: MAX_OFFERINGS }),
  defaultOffering: Nullable(
    Type.String({
      maxLength: 64,
      description: 'For whom no flag decides; null without any offering.',
    }),
  ),
  flag: Nullable(
    Type.String({
      maxLength: 64,
      description:
        'The key of a flag of text: a value that is an identifier chooses that offering for a person, by rules or the arm of an experiment.',
    }),
  ),
};

const MONTHLY = { identifier: 'monthly', productIds: ['pro.monthly'] };
const YEARLY = {
  ...{ identifier: 'yearly', productIds: ['pro.yearly'], metadata: { badge: 'Save 40 %' } },
};
const EXAMPLE = {
  offerings: [
    { identifier: 'standard', name: 'Standard', packages: [YEARLY, MONTHLY] },
    { identifier: 'monthly_first', name: 'Monthly first', packages: [MONTHLY, YEARLY] },
  ],
  defaultOffering: 'standard',
  flag: 'paywall',
};

export const Offerings = Named('Offerings', SETTINGS);
export type Offerings = Static<typeof Offerings>;

export const OfferingsBody = Named('NewOfferings', SETTINGS, { ...STRICT, examples: [EXAMPLE] });
export type OfferingsInput = Static<typeof OfferingsBody>;

const Attribute = Type.Optional(
  DeviceText(0, 64, { description: 'As events have it, for rules of the flag.' }),
);

export const OfferingsQuery = Tolerant({
  anonymousId: Type.Optional(
    DeviceText(8, 128, {
      description: 'The person of the flag; without it the default is current.',
    }),
  ),
  shown: Type.Optional(
    OneOf(['true'], {
      description:
        'Sent when the offering is on the screen: where the arm of a running experiment chose it, this is the exposure.',
    }),
  ),
  ...eachOf(CONTEXT_FIELDS, () => Attribute),
});
export type OfferingsQuery = Static<typeof OfferingsQuery>;

export const DeviceOfferings = Named('DeviceOfferings', {
  current: Nullable(
    Type.String({ description: 'The identifier of the offering to show to this person.' }),
  ),
  offerings: Type.Array(Offering, { description: 'All of them, in order.' }),
  chosenBy: Nullable(
    Type.Object(
      { flag: Type.String(), variant: Type.String(), reason: Type.String() },
      { description: 'Null where the default is shown.' },
    ),
  ),
});
export type DeviceOfferings = Static<typeof DeviceOfferings>;
