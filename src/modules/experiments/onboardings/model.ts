import { type Static, Type } from '@sinclair/typebox';
import { SavedInApp } from '../../../shared/saved.ts';
import { Named } from '../../../shared/schema.ts';
import { Name } from '../../../shared/text.ts';

export const MAX_ONBOARDINGS_PER_APP = 100;
/** JSON in bytes of UTF-8. */
export const MAX_CONFIG_BYTES = 16 * 1024;

const Config = Type.Unknown({
  description: 'Any JSON of at most 16 KB; the app knows its meaning.',
});

const EXAMPLE = {
  name: 'Three questions',
  config: { screens: ['welcome', 'goal', 'paywall'] },
};

export const Onboarding = SavedInApp('Onboarding', {
  name: Type.String(),
  config: Config,
  isDefault: Type.Boolean(),
});
export type Onboarding = Static<typeof Onboarding>;

export const CreateOnboardingBody = Named(
  'NewOnboarding',
  { name: Name(1, 80), config: Config, isDefault: Type.Optional(Type.Boolean()) },
  { examples: [EXAMPLE] },
);
export type CreateOnboardingInput = Static<typeof CreateOnboardingBody>;

export const ChangeOnboardingBody = Type.Partial(CreateOnboardingBody, {
  title: 'OnboardingChange',
  examples: [{ name: 'Two questions' }],
  minProperties: 1,
});
export type ChangeOnboardingInput = Static<typeof ChangeOnboardingBody>;
