import { FIELD_RULES } from '../../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { Named } from '../../../shared/schema.ts';

export const DEFAULT_CURRENCY = 'USD';

const Fields = {
  currency: Type.String({
    ...FIELD_RULES.currency,
    description:
      'ISO 4217, in either case, of those with exchange rates. Money of figures is in it unless a question asks for another.',
  }),
};

export const OrganizationSettings = Named('OrganizationSettings', Fields);
export const ChangeOrganizationSettings = Named('ChangeOrganizationSettings', Fields, {
  examples: [{ currency: 'EUR' }],
});
export type OrganizationSettings = Static<typeof OrganizationSettings>;

export const CurrencyParameter = Type.Optional(
  Type.String({
    minLength: 3,
    maxLength: 3,
    pattern: '^[A-Za-z]{3}$',
    description:
      'ISO 4217, in either case; every amount is converted to it. The organization’s currency when left out.',
  }),
);
