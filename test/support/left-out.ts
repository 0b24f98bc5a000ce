import { describe, test } from 'bun:test';

type Suite = (name: string, work: () => void) => void;

/** `describe` where the suite can run; else one test that is left out, with its reason in the output. */
export function describeWhere(canRun: boolean, reason: string): Suite {
  if (canRun) return describe;
  return (name) => {
    console.log(`not run: ${name} (${reason})`);
    test.skip(name, () => undefined);
  };
}
