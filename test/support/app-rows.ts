import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import type { Deps } from '../../src/context.ts';
import { must } from '../../src/shared/assert.ts';

/** As the step of an app's deletion after those of the chapters. */
export function deleteRowsOfApp(
  deps: Partial<Deps>,
  scope: { orgId: string; appId: string },
): Promise<void> {
  const rows = must(
    CLEANUP_STEPS.find(({ name }) => name === 'rows'),
    'the step of all rows',
  );
  return rows.run({ deps: deps as Deps, requestId: 'req_test' }, scope);
}
