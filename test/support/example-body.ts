import { addDays, daysBetween } from '../../src/shared/pacific.ts';
import type { Operation } from './openapi.ts';

/** The day on which the examples play; sent, it is yesterday, whatever today is. */
const EXAMPLES_DAY = '2026-11-21';

/** Real ones in place of the ids that examples show. */
export type RealIds = { appId: string; onboardings: readonly string[]; armId?: string };

export const exampleOf = (operation: Operation): unknown =>
  operation.requestBody?.content['application/json'].example;

/** The example of an operation's body, with days and ids of a running service. */
export function sentExample(operation: Operation, ids: RealIds): any {
  const example = exampleOf(operation);
  if (example === undefined) return undefined;
  const yesterday = addDays(new Date().toISOString().slice(0, 10), -1);
  const shiftDays = daysBetween(EXAMPLES_DAY, yesterday);
  const [long = '', short = ''] = ids.onboardings;
  return JSON.parse(
    JSON.stringify(example)
      .replaceAll(/\b20\d\d-\d\d-\d\d(?=["T])/g, (day) => addDays(day, shiftDays))
      .replace('onb_01kajw5g3me7t8q2w4r6y9b1cd', long)
      .replace('onb_01kajw5h4ne8v9r3x5s7z0c2de', short)
      .replace('arm_01kajw5j4ne8v9r3x5s7z0c2de', ids.armId ?? '$&')
      .replace('app_01kajw5fr2fgqt7v3s6z8x9a0b', ids.appId),
  );
}
