import type { Deps } from '../context.ts';
import { openEngine } from '../event-store/read.ts';
import { HOUR_MS } from '../shared/time.ts';
import { spillFolder } from '../storage/spill-folder.ts';
import { createCooldowns } from './cooldowns.ts';
import { ForeignWriter, publishLake } from './publish.ts';
import type { Publisher } from './publisher.ts';
import { sweepLake } from './sweep.ts';
import { withdrawLake } from './withdraw.ts';

const ENGINE_MEMORY_MB = 256;
/** Listing `lake/` is expensive on S3. */
const SWEEP_EVERY_MS = HOUR_MS;

function openPublisher(
  deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
): Publisher {
  const { config, log, objects, sql } = deps;
  const tempDir = spillFolder(config.dataDir, 'lake');
  let opened: ReturnType<Publisher['duck']> | undefined;
  const duck = () => {
    opened ??= openEngine({ memoryMb: ENGINE_MEMORY_MB, threads: 1, tempDir });
    return opened;
  };
  const rests = createCooldowns(() => deps.clock().getTime());
  return { sql, objects, log, eventsUrl: config.events.url, duck, rests };
}

/** With `LAKE=off` withdraws an abandoned lake. */
export function lakeRounds(
  deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
): () => Promise<boolean> {
  const publisher = openPublisher(deps);
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const publish = async () => {
    await publishLake(publisher);
    const nowMs = deps.clock().getTime();
    if (nowMs - sweptAtMs < SWEEP_EVERY_MS) return;
    await sweepLake(publisher);
    sweptAtMs = nowMs;
  };
  return async () => {
    try {
      await (deps.config.lake.isOn ? publish() : withdrawLake(publisher));
    } catch (thrown) {
      if (!(thrown instanceof ForeignWriter)) throw thrown;
      deps.log.error(thrown.message);
    }
    return false;
  };
}
