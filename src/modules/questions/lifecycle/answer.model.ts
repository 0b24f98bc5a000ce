import { type Static, Type } from '@sinclair/typebox';
import { CALENDAR_INTERVALS } from '../../../shared/calendar.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../../shared/statistics/verdict.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { Bounds, Groups } from '../resolve/breakdown.model.ts';
import { Hint } from '../resolve/parameters.model.ts';

const People = (description: string) => Type.Integer({ minimum: 0, description });

const LifecyclePoint = Type.Object({
  from: DateTime,
  active: People('new + returning + resurrected.'),
  new: People('Active for the first time ever.'),
  returning: People('Active in the interval before too.'),
  resurrected: People('Active earlier, but not in the interval before.'),
  dormant: Nullable(
    People('Active in the interval before and not in this one; null while it is not over.'),
  ),
  partial: Type.Optional(Type.Literal(true, { description: 'The interval is not over.' })),
});

export const LifecycleReport = Named('LifecycleReport', {
  window: Type.Object({ from: DateTime, to: DateTime }),
  interval: OneOf(CALENDAR_INTERVALS),
  ...COMMON,
  people: People('Distinct people of the window and of the interval before it.'),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  verdict: OneOf(VERDICTS, {
    description: 'Counts are always shown; with fewer than fifty people nobody is listed.',
  }),
  points: Type.Array(LifecyclePoint),
  forecast: Type.Optional(Forecast),
  hint: Hint,
});
export type LifecycleReport = Static<typeof LifecycleReport>;

export const LifecycleQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('lifecycle') }),
    Type.Omit(LifecycleReport, ['forecast', 'hint']),
    Type.Object({
      breakdown: Type.Optional(Groups(Type.Pick(LifecycleReport, ['people', 'verdict', 'points']))),
      bounds: Bounds,
    }),
  ],
  { title: 'LifecycleAnswer' },
);
export type LifecycleQuestionAnswer = Static<typeof LifecycleQuestionAnswer>;
