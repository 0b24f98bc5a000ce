import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { createDeps } from '../src/app/deps.ts';
import { createApp } from '../src/app/routes.ts';
import { loadConfig } from '../src/config.ts';
import { describeOperations, type OpenApi, typesOf } from './api-client/describe.ts';

const SOURCE = join(import.meta.dir, '../clients/api/src');

/** The document as the service answers it. Nothing is connected to: only its routes are looked at. */
async function openApiDocument(): Promise<OpenApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'api-client-'));
  const config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    AUTH_SECRET: 'only-to-write-down-the-document-0123',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'fatal',
  });
  const deps = await createDeps(config, 'api');
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const answer = await app.handle(new Request('http://localhost/openapi.json'));
  rmSync(dataDir, { recursive: true, force: true });
  return (await answer.json()) as OpenApi;
}

/** Writes down the operations of `document` for the client. */
export function generate(document: OpenApi): Record<string, string> {
  const operations = describeOperations(document);
  return {
    'operations.json': JSON.stringify(operations, null, 2),
    'operations.ts': typesOf(document),
  };
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(generate(await openApiDocument()))) {
    await Bun.write(join(SOURCE, name), text);
  }
  await $`bunx biome check --write ${SOURCE}`.quiet();
  process.exit(0);
}
