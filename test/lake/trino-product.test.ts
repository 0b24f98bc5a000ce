import { expect, test } from 'bun:test';
import { answerByTrino } from '../support/lake/answer-by-trino.ts';
import { findTrino } from '../support/lake/trino-install.ts';

const install = await findTrino();
if (install) {
  // The suites of the product whose figures the lake's engine can count.
  const answered = await answerByTrino(install, async () => {
    await import('../integration/funnels/report.test.ts');
    await import('../integration/funnels/comparison.test.ts');
    await import('../integration/events/environments.test.ts');
    await import('../integration/people/people.test.ts');
  });
  test('the suites above were answered by Trino: funnels, their people and summaries', () => {
    console.log(JSON.stringify(Object.fromEntries(answered)));
    for (const kind of ['funnel', 'funnel-people', 'summary']) {
      expect(answered.get(`${kind} answered`)).toBeGreaterThan(0);
    }
  });
} else {
  test.skip('Trino answers the suites of the product', () => undefined);
}
