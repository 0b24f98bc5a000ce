import { FIELD_RULES } from '../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { Conditions } from '../../query/selection/conditions.ts';
import { Author } from '../../shared/author.ts';
import { SavedInApp } from '../../shared/saved.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';

export const MAX_FLAGS_PER_APP = 1_000;
export const MAX_VARIANTS = 20;
export const MAX_RULES = 50;
export const MAX_VALUE_BYTES = 16 * 1024;
/** An answer carries one of each. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Days of asks that a flag shows. */
export const ASKS_DAYS = 30;

const CLOSED = { additionalProperties: false };

/** In paths as it is: providers do not escape it. */
export const FlagKey = Type.String({
  ...FIELD_RULES.flagKey,
  description: 'What apps ask for; never changes.',
});

export const FLAG_TYPES = ['boolean', 'string', 'number', 'json'] as const;
export type FlagType = (typeof FLAG_TYPES)[number];
const FlagTypeField = OneOf(FLAG_TYPES, {
  description: 'Of all its values; json is an object. Never changes.',
});

const VariantName = Type.String(FIELD_RULES.variantName);
const Variant = Type.Object(
  {
    name: VariantName,
    value: Type.Unknown({ description: 'Of the flag’s type; at most 16 KB as JSON.' }),
  },
  CLOSED,
);
export type Variant = Static<typeof Variant>;

const Part = Type.Object(
  { variant: VariantName, weight: Type.Integer({ minimum: 1, maximum: 10_000 }) },
  CLOSED,
);

const RuleFields = {
  where: Type.Optional(Conditions),
  percent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Of the people, in hundredths; the same people while the rule is there.',
    }),
  ),
  variant: Type.Optional({ ...VariantName, description: 'Served to all whom the rule is for.' }),
  split: Type.Optional(
    Type.Array(Part, {
      minItems: 2,
      maxItems: MAX_VARIANTS,
      description: 'In place of variant: people in proportion to the weights.',
    }),
  ),
  experiment: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Goes with variations: while it runs, people get the variant of their arm, and after an arm was shipped all get that one’s. Otherwise the rule applies to nobody.',
    }),
  ),
  variations: Type.Optional(
    Type.Record(Type.String(), VariantName, {
      description: 'In place of variant: by the id of each arm of the experiment, a variant.',
    }),
  ),
};
const RuleId = Type.String({
  pattern: '^rul_[0-9a-z]{26}$',
  description: 'Given by the service; who gets what by percent and split follows from it.',
});
export const FlagRule = Named('FlagRule', { id: RuleId, ...RuleFields }, CLOSED);
export type FlagRule = Static<typeof FlagRule>;
const NewRule = Type.Object({ id: Type.Optional(RuleId), ...RuleFields }, CLOSED);
export type NewRule = Static<typeof NewRule>;

const DefinitionFields = {
  isOn: Type.Boolean({ description: 'Off: everybody gets the off variant, whatever the rules.' }),
  description: Text(0, 500),
  variants: Type.Array(Variant, { minItems: 1, maxItems: MAX_VARIANTS }),
  defaultVariant: { ...VariantName, description: 'Where no rule applies.' },
  offVariant: { ...VariantName, description: 'While the flag is off.' },
};
const Rules = Type.Array(FlagRule, { maxItems: MAX_RULES });

export const FlagDefinition = Type.Object(
  { type: FlagTypeField, ...DefinitionFields, rules: Rules },
  CLOSED,
);
export type FlagDefinition = Static<typeof FlagDefinition>;

const FlagAskFigures = Type.Object(
  {
    lastAt: Nullable({ ...DateTime, description: 'Asked for by its key.' }),
    lastKeyId: Nullable(Type.String({ description: 'The key that asked last.' })),
    times: Type.Integer({ minimum: 0, description: `In the last ${ASKS_DAYS} days.` }),
    inBulkAt: Nullable({
      ...DateTime,
      description: 'The last answer with all flags of the app: it does not say which one is used.',
    }),
  },
  { description: 'Some seconds late.' },
);
const EXAMPLE = {
  key: 'new_checkout',
  type: 'boolean',
  isOn: true,
  description: 'The checkout of one page',
  variants: [
    { name: 'on', value: true },
    { name: 'off', value: false },
  ],
  defaultVariant: 'off',
  offVariant: 'off',
} as const;
const EXAMPLE_RULES = [
  { where: { all: [{ field: 'appVersion', op: 'is', value: '1.2.0' }] }, variant: 'off' },
  {
    where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] },
    percent: 25,
    variant: 'on',
  },
];

export const Flag = SavedInApp('Flag', {
  key: FlagKey,
  type: FlagTypeField,
  ...DefinitionFields,
  rules: Rules,
  version: Type.Integer({ minimum: 1 }),
  asks: FlagAskFigures,
});
export type Flag = Static<typeof Flag>;

const Why = Type.Optional({ ...Name(1, 500), description: 'Kept in the history.' });

export const NewFlag = Named(
  'NewFlag',
  {
    key: FlagKey,
    type: FlagTypeField,
    isOn: Type.Optional({ ...DefinitionFields.isOn, description: 'false when left out.' }),
    description: Type.Optional(DefinitionFields.description),
    variants: DefinitionFields.variants,
    defaultVariant: DefinitionFields.defaultVariant,
    offVariant: Type.Optional({
      ...VariantName,
      description:
        'While the flag is off; when left out, a boolean’s false variant, else the default one.',
    }),
    rules: Type.Optional(Type.Array(NewRule, { maxItems: MAX_RULES })),
    why: Why,
  },
  { examples: [{ ...EXAMPLE, rules: EXAMPLE_RULES, why: 'Crashes on 1.2.0' }] },
);
export type NewFlag = Static<typeof NewFlag>;

export const FlagChange = Type.Partial(
  Type.Object({
    ...DefinitionFields,
    rules: Type.Array(NewRule, { maxItems: MAX_RULES }),
    why: Name(1, 500),
    version: Type.Integer({
      minimum: 1,
      description: 'The version that the change is made to; another one is a conflict.',
    }),
  }),
  {
    title: 'FlagChange',
    minProperties: 1,
    examples: [{ isOn: false, why: 'The payment provider is down' }],
  },
);
export type FlagChange = Static<typeof FlagChange>;

export const RestoreFlagBody = Named(
  'RestoreFlagBody',
  { version: Type.Integer({ minimum: 1 }), why: Why },
  { examples: [{ version: 1, why: 'The new rule was wrong' }] },
);
export type RestoreFlagInput = Static<typeof RestoreFlagBody>;

export const FlagVersion = Named('FlagVersion', {
  version: Type.Integer({ minimum: 1 }),
  act: OneOf(['created', 'changed', 'restored']),
  at: DateTime,
  by: Author,
  why: Nullable(Type.String()),
  ...DefinitionFields,
  rules: Rules,
});
export type FlagVersion = Static<typeof FlagVersion>;
