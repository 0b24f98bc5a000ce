import { ensureInstalled } from './install.ts';

await ensureInstalled();
const { takeScreenshots } = await import('./screenshots/take.ts');
process.exit(await takeScreenshots(process.argv.slice(2)));
