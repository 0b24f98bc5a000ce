import { type Held, heldFor } from '../reading/projection/held.ts';
import { compileRowTest } from '../selection/row-test.ts';
import { isOfSessions, type MeasuresQuestion } from './model.ts';

type Asked = Pick<MeasuresQuestion, 'breakdown' | 'filters' | 'measure' | 'names' | 'where'>;

/** Null where only SQL answers: projections know no sessions. */
export function heldForMeasures({ measure, names, breakdown, ...asked }: Asked): Held | null {
  if (isOfSessions(measure)) return null;
  const number = measure.of === 'property' ? measure.property : null;
  return heldFor([{ test: compileRowTest(asked), by: breakdown ?? null, number, events: names }]);
}
