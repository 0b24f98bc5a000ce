import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.ts';
import { stopWithBunRun } from './parent.ts';

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled('run');
stopWithBunRun();
await import(join(ROOT, 'src/main.ts'));
