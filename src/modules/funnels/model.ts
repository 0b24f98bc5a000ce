import { FIELD_RULES } from '../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { MAX_FUNNEL_STEPS } from '../../query/funnel/model.ts';
import { SavedInApp } from '../../shared/saved.ts';
import { Named } from '../../shared/schema.ts';
import { Name, Text } from '../../shared/text.ts';

export const FunnelWhere = Named(
  'FunnelWhere',
  {
    prop: Text(1, 64, { description: 'Name of a property of the event.' }),
    equals: Text(0, 200, {
      description:
        'What the property must be: a string by its characters, a number by its shortest decimal form, a boolean as true or false.',
    }),
  },
  { additionalProperties: false },
);
export type FunnelWhere = Static<typeof FunnelWhere>;

export const FunnelStep = Named(
  'FunnelStep',
  {
    event: Type.String(FIELD_RULES.eventName),
    label: Name(1, 60),
    where: Type.Optional(FunnelWhere),
  },
  { additionalProperties: false },
);
export type FunnelStep = Static<typeof FunnelStep>;

export const FunnelSteps = Type.Array(FunnelStep, { minItems: 2, maxItems: MAX_FUNNEL_STEPS });
export const FunnelName = Name(1, 80);

const EXAMPLE = {
  name: 'Subscription',
  steps: [
    { event: 'app_opened', label: 'Opened the app' },
    { event: 'paywall_viewed', label: 'Saw offer B', where: { prop: 'variant', equals: 'b' } },
    { event: 'purchase_completed', label: 'Subscribed' },
  ],
  isDefault: true,
};

export const Funnel = SavedInApp('Funnel', {
  name: FunnelName,
  steps: FunnelSteps,
  isDefault: Type.Boolean(),
  hint: Type.Optional(
    Type.String({
      description:
        'In the answer that makes or changes a funnel: which steps name what the app never sent, and the nearest that it did send.',
    }),
  ),
});
export type Funnel = Static<typeof Funnel>;

export const NewFunnel = Named(
  'NewFunnel',
  {
    name: FunnelName,
    steps: FunnelSteps,
    isDefault: Type.Optional(Type.Boolean()),
  },
  { examples: [EXAMPLE] },
);
export type NewFunnel = Static<typeof NewFunnel>;

export const FunnelChange = Type.Partial(NewFunnel, {
  title: 'FunnelChange',
  minProperties: 1,
  examples: [{ name: 'Onboarding 2.0' }],
});
export type FunnelChange = Static<typeof FunnelChange>;

export const FUNNELS_PER_APP_MAX = 50;
export const DEFAULT_WINDOW_HOURS = 336;
export const MAX_CONVERSION_HOURS = 2_160;

export const ONBOARDING_FUNNEL: NewFunnel = {
  name: 'Onboarding',
  steps: [
    { event: 'app_opened', label: 'App opened' },
    { event: 'onboarding_completed', label: 'Onboarding completed' },
    { event: 'paywall_viewed', label: 'Paywall viewed' },
    { event: 'purchase_completed', label: 'Purchase completed' },
  ],
  isDefault: true,
};
