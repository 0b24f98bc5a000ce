import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { systemClock } from '../../shared/time.ts';
import { refreshing, roleSource } from './credentials.ts';
import { localObjectStore } from './local.ts';
import type { ObjectStore } from './port.ts';
import { type S3Settings, s3ObjectStore } from './s3.ts';

export function openObjectStore(config: Config): ObjectStore {
  return openObjectStoreAt(config, config.events.url, join(config.dataDir, 'cache'));
}

export function s3SettingsAt(config: Config, address: string, cacheDir: string): S3Settings {
  const url = new URL(address);
  const { role, ...s3 } = config.events.s3;
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    ...s3,
    credentials: role ? refreshing(roleSource(role), systemClock) : undefined,
    cacheGb: config.events.cacheGb,
    // Twice the floor: downloads stop well before events are refused.
    reserveMb: 2 * config.events.diskFloorMb,
    cacheDir,
  };
}

export function openObjectStoreAt(config: Config, address: string, cacheDir: string): ObjectStore {
  const url = new URL(address);
  if (url.protocol === 'file:') return localObjectStore(fileURLToPath(url));
  return s3ObjectStore(s3SettingsAt(config, address, cacheDir));
}
