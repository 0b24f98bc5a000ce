import { LRUCache } from 'lru-cache';
import { answerFor, type CompiledFlag, type Resolved, type Target } from './compile.ts';

/** Devices of an app differ in few versions, countries and locales. */
const MAX_CONTEXTS = 200;

/** Conditions are looked at once for all with the same attributes. */
export function createEvaluateAll(flags: readonly CompiledFlag[]) {
  const names = [...new Set(flags.flatMap(({ attributes }) => attributes))];
  const known = new LRUCache<string, readonly Resolved[]>({ max: MAX_CONTEXTS });
  return ({ person, attribute }: Target): string[] => {
    const context = JSON.stringify(names.map(attribute));
    let resolved = known.get(context);
    if (!resolved) {
      resolved = flags.map(({ resolve }) => resolve(attribute));
      known.set(context, resolved);
    }
    return resolved.map((one) => answerFor(one, person).text);
  };
}
