import { ensureInstalled } from './install.ts';

await ensureInstalled();
const { runTests } = await import('./test/run.ts');
process.exit(await runTests(process.argv.slice(2)));
