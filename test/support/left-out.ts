import { describe, test } from 'bun:test';
import { isFullRun } from './random.ts';

type Suite = (name: string, work: () => void) => void;

/** `describe` where the suite can run; else one test that is left out, with its reason in the output. */
export function describeWhere(canRun: boolean, reason: string): Suite {
  if (canRun) return describe;
  return (name) => {
    console.log(`not run: ${name} (${reason})`);
    test.skip(name, () => undefined);
  };
}

const notAsked = (name: string) => console.log(`only with TEST_FULL=1: ${name}`);

/** Part of full runs alone: elsewhere it is no test that is left out, and the summary names it. */
export function describeFull(canRun: boolean, reason: string, isAsked = isFullRun): Suite {
  return isAsked ? describeWhere(canRun, reason) : notAsked;
}

export function testFull(name: string, work: () => Promise<void>): void {
  if (isFullRun) test(name, work);
  else notAsked(name);
}
