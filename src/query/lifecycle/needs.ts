import { type Held, heldFor } from '../reading/projection/held.ts';
import { compileRowTest } from '../selection/row-test.ts';
import type { LifecycleQuestion } from './model.ts';

export const heldForLifecycle = ({ names, breakdown, ...asked }: LifecycleQuestion): Held | null =>
  heldFor([{ test: compileRowTest(asked), by: breakdown ?? null, events: names }]);
