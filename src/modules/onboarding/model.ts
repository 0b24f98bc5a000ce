import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

const SOURCES = [
  'search',
  'ai_assistant',
  'forum',
  'news_aggregator',
  'microblog',
  'code_host',
  'video_site',
  'friend',
  'content',
  'other',
] as const;

export const OnboardingSurvey = Named('OnboardingSurvey', {
  completed: Type.Boolean(),
  source: Nullable(OneOf(SOURCES)),
  building: Nullable(Type.String()),
  completedAt: Nullable(DateTime),
});
export type OnboardingSurvey = Static<typeof OnboardingSurvey>;

const SurveyAnswers = Named(
  'OnboardingSurveyAnswers',
  {
    source: Type.Optional(OneOf(SOURCES)),
    sourceDetail: Type.Optional(Text(0, 280)),
    building: Type.Optional(Text(0, 280)),
  },
  { examples: [{ source: 'friend', building: 'A focus timer' }] },
);
export type SurveyAnswers = Static<typeof SurveyAnswers>;

/** Without a body, complete without answers. */
export const SurveyBody = Type.Optional(SurveyAnswers);
