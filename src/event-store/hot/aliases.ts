import type { Clock } from '../../shared/time.ts';
import type { SourceDeps } from '../catalogue/event-sources.ts';
import type { Alias, AppScope } from '../forget/queries.ts';
import { HotEvents } from './hot-events.ts';

type LogFolder = SourceDeps & { clock: Clock; config: { events: { logDir: string } } };

/** Aliases of the last seconds, which are in the log of this host but not in the database yet. */
export async function aliasesInLog(deps: LogFolder, scope: AppScope): Promise<Alias[]> {
  const nowMs = deps.clock().getTime();
  const hot = new HotEvents(deps, deps.config.events.logDir);
  return (await hot.snapshot({ ...scope, fromMs: nowMs, toMs: nowMs })).lateLinks;
}
