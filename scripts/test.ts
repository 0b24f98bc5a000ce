import { ensureInstalled } from './install.ts';
import { stopWithBunRun } from './parent.ts';

await ensureInstalled();
stopWithBunRun();
const { runTests } = await import('./test/run.ts');
process.exit(await runTests(process.argv.slice(2)));
