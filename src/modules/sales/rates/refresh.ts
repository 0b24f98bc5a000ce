import { fileURLToPath } from 'node:url';
import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { HttpFault, httpRequest } from '../../../shared/http.ts';
import { HOUR_MS, SECOND_MS } from '../../../shared/time.ts';
import { importRates, ensureSnapshot } from './import.ts';
import { lastImportAt } from './queries.ts';

const EVERY_MS = 6 * HOUR_MS;
const TIMEOUT_MS = 60 * SECOND_MS;
const FILE_MAX_BYTES = 16 * 1024 * 1024;

async function download(address: string): Promise<Uint8Array> {
  const url = new URL(address);
  if (url.protocol === 'file:') return Bun.file(fileURLToPath(url)).bytes();
  const answer = await httpRequest({
    method: 'GET',
    url,
    timeoutMs: TIMEOUT_MS,
    maxBytes: FILE_MAX_BYTES,
  });
  if (answer.status !== 200) throw new HttpFault('network', `The bank answered ${answer.status}.`);
  return answer.bytes;
}

function sourceName(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Every six hours at most. Throws `unavailable`. */
export async function refreshRates({
  deps,
}: SystemContext<'clock' | 'config' | 'log' | 'sql'>): Promise<{ changed: number }> {
  const address = deps.config.fxRatesUrl;
  const source = sourceName(address);
  const last = await lastImportAt(deps.sql, source);
  if (last && deps.clock().getTime() - last.getTime() < EVERY_MS) return { changed: 0 };
  try {
    const file = await download(address);
    await ensureSnapshot(deps);
    const record = await importRates(deps, { file, source });
    deps.log.info({ rates: record }, 'exchange rates refreshed');
    return { changed: record?.changed ?? 0 };
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The exchange rates could not be refreshed. The present ones stay in use.',
      { cause },
    );
  }
}
