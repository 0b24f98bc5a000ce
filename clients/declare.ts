import { join } from 'node:path';
import { $ } from 'bun';
import { CLIENT_NAMES, type ClientName } from './pack.ts';

/** The public declarations of each client that its sources alone do not give. */
const DECLARED: Record<ClientName, readonly string[]> = {
  web: ['index.d.ts', 'react-native.d.ts', 'experiments.d.ts', 'purchases.d.ts', 'flags.d.ts'],
  api: ['client.d.ts', 'errors.d.ts', 'index.d.ts'],
};

/** Writes the declarations of a client, as the compiler makes them, into a folder. */
export async function declareInto(client: ClientName, folder: string): Promise<void> {
  const here = join(import.meta.dir, client);
  const all = join(here, 'dist/types');
  await $`bunx tsc -p ${join(here, 'tsconfig.build.json')} --outDir ${all}`.cwd(here).quiet();
  for (const name of DECLARED[client]) {
    await Bun.write(join(folder, name), Bun.file(join(all, name)));
  }
}

// A start without development dependencies has no compiler, so the declarations are kept.
if (import.meta.main) {
  for (const client of CLIENT_NAMES) {
    await declareInto(client, join(import.meta.dir, client, 'types'));
  }
}
