import { type Static, Type } from '@sinclair/typebox';
import { PATH_DIRECTIONS, PATH_NODES } from '../../../query/paths/model.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Forecast } from '../../../shared/statistics/forecast.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { VERDICTS } from '../../../shared/statistics/verdict.ts';
import { COMMON } from '../resolve/answered.model.ts';
import { Hint } from '../resolve/parameters.model.ts';

const Count = Type.Integer({ minimum: 0 });
const People = Type.Integer({
  minimum: 0,
  description: 'Distinct people: those of the nodes of a step do not add up.',
});

const PathStep = Type.Object({
  step: Type.Integer({ minimum: 1, description: 'Counted from the event.' }),
  nodes: Type.Array(
    Type.Object({
      kind: OneOf(PATH_NODES, {
        description:
          'event: of this name; rest: all events that are not named; end: the session has no more.',
      }),
      name: Nullable(Type.String()),
      sessions: Count,
      people: People,
      share: Type.Number({ minimum: 0, maximum: 1, description: 'Of all sessions.' }),
    }),
  ),
  links: Type.Array(
    Type.Object({
      from: Type.Integer({ minimum: 0, description: 'The node of the step before, from 0.' }),
      to: Type.Integer({ minimum: 0, description: 'The node of this step, from 0.' }),
      sessions: Count,
      people: People,
    }),
    { description: 'How sessions came from the nodes of the step before; none in the first step.' },
  ),
});

export const PathsReport = Named('PathsReport', {
  window: Type.Object({ from: DateTime, to: DateTime }),
  name: Type.String(),
  direction: OneOf(PATH_DIRECTIONS),
  ...COMMON,
  sessions: Type.Integer({ minimum: 0, description: 'With the event in the window.' }),
  people: Type.Integer({ minimum: 0, description: 'Distinct people of these sessions.' }),
  minimumPeople: Type.Literal(MINIMUM_PEOPLE),
  verdict: OneOf(VERDICTS, { description: 'With fewer than fifty people no step is shown.' }),
  steps: Type.Array(PathStep),
  forecast: Type.Optional(Forecast),
  hint: Hint,
});
export type PathsReport = Static<typeof PathsReport>;

export const PathsQuestionAnswer = Type.Composite(
  [
    Type.Object({ kind: Type.Literal('paths') }),
    Type.Omit(PathsReport, ['name', 'forecast', 'hint']),
  ],
  { title: 'PathsAnswer' },
);
export type PathsQuestionAnswer = Static<typeof PathsQuestionAnswer>;
