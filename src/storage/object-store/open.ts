import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { systemClock } from '../../shared/time.ts';
import { refreshing, roleSource } from './credentials.ts';
import { localObjectStore } from './local.ts';
import type { ObjectStore } from './port.ts';
import { s3ObjectStore } from './s3.ts';

/** The store that `EVENTS_URL` names. */
export function openObjectStore(config: Config): ObjectStore {
  return openObjectStoreAt(config, config.events.url, join(config.dataDir, 'cache'));
}

/** The store at another address, with the same credentials. */
export function openObjectStoreAt(config: Config, address: string, cacheDir: string): ObjectStore {
  const url = new URL(address);
  if (url.protocol === 'file:') return localObjectStore(fileURLToPath(url));
  const { role, ...s3 } = config.events.s3;
  return s3ObjectStore({
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    ...s3,
    credentials: role ? refreshing(roleSource(role), systemClock) : undefined,
    cacheGb: config.events.cacheGb,
    // Twice the floor: fetching stops well before events are refused.
    reserveMb: 2 * config.events.diskFloorMb,
    cacheDir,
  });
}
