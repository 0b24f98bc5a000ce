import { join } from 'node:path';
import { findBundle, ROOT } from '../launcher/bundle/find.ts';

const folder = findBundle({ warn: () => undefined });
process.argv.splice(2, 0, '0', 'admin');
await import(folder ? join(folder, 'server.js') : join(ROOT, 'src/entry/server.ts'));
