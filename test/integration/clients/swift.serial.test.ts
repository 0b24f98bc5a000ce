import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { findSwift, runSwift } from '../../support/clients/swift.ts';

// The first build takes minutes on a small machine.
setDefaultTimeout(900_000);

const swift = findSwift();

describe('the Swift client', () => {
  test.skipIf(!swift)('builds without a warning and passes its own tests', async () => {
    if (!swift) return;
    const built = await runSwift(swift, ['swift', 'build', '--build-tests']);
    expect(built.code, built.output).toBe(0);
    expect(built.output).not.toContain('warning:');
    const tested = await runSwift(swift, ['swift', 'test', '--skip-build']);
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toMatch(/Executed \d+ tests?, with 0 failures/);
  });
});
