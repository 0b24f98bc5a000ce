import { ensureInstalled } from './install.ts';

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled();
const { runDemo } = await import('./demo/run.ts');
try {
  await runDemo();
  process.exit(0);
} catch (error) {
  console.error(`The demo did not finish. ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
