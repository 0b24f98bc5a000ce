import { describe, expect, test } from 'bun:test';
import { add, countResults, NONE, summary } from '../../../scripts/test/counts.ts';

const output = (lines: string[]) => `bun test v1.4.5\n\n${lines.join('\n')}\nRan 3 tests.\n`;

describe('counting what bun test printed', () => {
  test('reads passed, failed, skipped and todo', () => {
    const text = output([' 12 pass', ' 2 skip', ' 1 todo', ' 3 fail']);
    expect(countResults(text, 1)).toEqual({ passed: 12, failed: 3, skipped: 3 });
  });

  test('counts a run that died as one failure', () => {
    expect(countResults('', null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countResults(output([' 4 pass', ' 0 fail']), 1).failed).toBe(1);
  });

  test('takes the last summary, whatever a test printed before', () => {
    expect(countResults(output([' 99 pass', ' 1 pass', ' 0 fail']), 0).passed).toBe(1);
  });

  test('ignores figures inside other lines', () => {
    expect(countResults('there were 7 pass in it', 0)).toEqual(NONE);
  });

  test('adds up and says so in one line', () => {
    const sum = add({ passed: 2, failed: 0, skipped: 0 }, { passed: 1, failed: 1, skipped: 0 });
    expect(summary(sum)).toBe('3 passed, 1 failed');
    expect(summary({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped');
  });
});
