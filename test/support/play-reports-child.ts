import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { readPlayReports } from '../../src/modules/sales/index.ts';

/** A worker that reads reports over and over until it is killed. */
const deps = await createDeps(loadConfig(), 'worker');
const orgId = process.env.CHILD_ORG ?? '';
console.log('reads');
for (let isListed = false; ; ) {
  const { goesOn } = await readPlayReports({ deps, requestId: 'child' }, { orgId, isListed });
  isListed = goesOn;
}
