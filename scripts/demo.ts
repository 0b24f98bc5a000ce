import { ensureInstalled } from './install.ts';

// What the demo has to say should not drown in the log of a service of its own.
Bun.env.LOG_LEVEL ??= 'warn';
// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled('run');
const { demo } = await import('../src/demo/main.ts');
process.exit(await demo(process.argv.slice(2)));
