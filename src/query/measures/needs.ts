import { type Held, heldFor } from '../reading/projection/held.ts';
import { compileRowTest } from '../selection/row-test.ts';
import { isOfSessions, type MeasuresQuestion } from './model.ts';

type Asked = Pick<MeasuresQuestion, 'filters' | 'measure' | 'names'> & {
  where?: MeasuresQuestion['where'] | undefined;
};

/** Null where only SQL answers: projections know no sessions. */
export function heldForMeasures({ measure, names, ...asked }: Asked): Held | null {
  if (isOfSessions(measure)) return null;
  const number = measure.of === 'property' ? measure.property : null;
  return heldFor([{ test: compileRowTest(asked), number, events: names }]);
}
