import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { parseId } from '../../../shared/ids.ts';

/** Where the runner of an app works; it goes with the app. */
export function runnerFolder(config: Config, appId: string): string {
  return join(config.dataDir, 'previews', parseId(appId, 'appId'));
}
