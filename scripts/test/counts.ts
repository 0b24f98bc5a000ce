export type Counts = { passed: number; failed: number; skipped: number };

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

function last(output: string, word: string): number {
  const found = [...output.matchAll(new RegExp(`^ (\\d+) ${word}$`, 'gm'))].at(-1);
  return Number(found?.[1] ?? 0);
}

/** What a `bun test` run counted. A run that failed without a failed test counts as one failure. */
export function countResults(output: string, exitCode: number | null): Counts {
  const failed = last(output, 'fail');
  return {
    passed: last(output, 'pass'),
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: last(output, 'skip') + last(output, 'todo'),
  };
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
