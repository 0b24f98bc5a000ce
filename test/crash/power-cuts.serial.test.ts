import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRunning } from '../../src/launcher/running.ts';
import { must } from '../../src/shared/assert.ts';
import type { Place } from '../support/crash-client.ts';
import { canCut, type CutDisk, cutDisk, type FileSystem } from '../support/cut-disk.ts';
import {
  type EventCrash,
  expectExactlyOnce,
  expectVisible,
  prepareEventCrash,
  report,
  storedNumbers,
  untilCompacted,
} from '../support/event-crash.ts';
import { type Instance, spawnStart, startInstance } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

/** Of each file system: cuts of new installations in their first minute, and of one that goes on. */
const FIRST = Number(process.env.TEST_FIRST_CUTS ?? 5);
const LATER = Number(process.env.TEST_LATER_CUTS ?? 20);
/** Acknowledged in all, of both. */
const EVENTS = Number(process.env.TEST_EVENTS ?? 1_000_000);
const MINUTE_MS = 60_000;
/** A start, until it is ready, on a busy machine. */
const STARTING_MS = 8_000;
const ENV = { RATE_LIMIT_SCALE: '10000' };
const SEED = Number(process.env.TEST_SEED ?? 59);
const random = randomFrom(SEED);
const LIMIT_MS = 5_400_000;

/** A long commit leaves more of what was not synced. */
const MOUNTS: Record<FileSystem, readonly string[]> = { ext4: ['', ',commit=600'], xfs: [''] };

class Host implements Place {
  readonly dataDir: string;
  slowestStartMs = 0;
  private readonly cutsAtMs: number[] = [];
  private instance: Instance | null = null;

  constructor(private readonly disk: CutDisk) {
    this.dataDir = join(disk.dir, 'data');
  }

  get url(): string {
    return must(this.instance, 'a host that was started').url;
  }

  async start(): Promise<void> {
    const beganAt = performance.now();
    this.instance = await startInstance({ dataDir: this.dataDir, env: ENV });
    this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - beganAt);
  }

  /** Amid a start, after so long. */
  async cutStarting(afterMs: number): Promise<void> {
    const { child } = spawnStart({ dataDir: this.dataDir, env: ENV });
    await pause(afterMs, 'a cut at any moment of a start');
    await this.disk.cut();
    await child.exited;
  }

  async cut(): Promise<void> {
    await this.disk.cut();
    this.cutsAtMs.push(Date.now());
  }

  async expectOnce(crash: EventCrash, total: number): Promise<void> {
    await untilCompacted(this);
    const stored = storedNumbers(this, {}, total);
    const lost = crash.sender.batches.filter(({ first }) => !stored.has(first));
    expect({ lost, cutsAtMs: this.cutsAtMs }).toEqual({ lost: [], cutsAtMs: this.cutsAtMs });
    const url = (await readRunning(this.dataDir))?.env.DATABASE_URL ?? '';
    await expectExactlyOnce(this, crash, total, { url });
  }
}

const load = (host: Host) =>
  prepareEventCrash(host, {
    ...{ seed: SEED, clients: 4, everyMs: 120, batchEvents: 100 },
    url: () => host.url,
  });

function newDisk(kind: FileSystem): CutDisk {
  const options = MOUNTS[kind];
  return cutDisk(kind, () => options[Math.floor(random() * options.length)] ?? '');
}

/** A new installation whose power is cut that long after its first start, or amid it. */
async function cutFirstMinute(
  kind: FileSystem,
  { afterMs, isStarting }: { afterMs: number; isStarting: boolean },
): Promise<string> {
  const disk = newDisk(kind);
  try {
    const host = new Host(disk);
    if (isStarting) await host.cutStarting(afterMs);
    await host.start();
    const crash = await load(host);
    const sending = crash.sender.run();
    if (!isStarting) {
      await pause(afterMs, 'a cut at any moment');
      await host.cut();
      await host.start();
    }
    const { acknowledgedEvents } = crash.sender;
    await until('events come in', () => crash.sender.acknowledgedEvents > acknowledgedEvents);
    crash.sender.stop();
    const total = await sending;
    await host.expectOnce(crash, total);
    const of = isStarting ? 'of a start' : 'of load';
    return `${Math.round(afterMs)} ms ${of}: ${acknowledgedEvents} before, ${total} in all`;
  } finally {
    await disk.close();
  }
}

describeFull(
  canCut('ext4') && canCut('xfs'),
  'only root may mount (Debian: apt install xfsprogs)',
  isFullRun,
)('power cuts', () => {
  test.each<FileSystem>(['ext4', 'xfs'])(
    `of %s: ${FIRST} within the first minute lose nothing, and the next start succeeds`,
    async (kind) => {
      for (let cut = 0; cut < FIRST; cut += 1) {
        const isStarting = cut === 0;
        const longestMs = isStarting ? STARTING_MS : (cut / FIRST) * MINUTE_MS;
        const said = await cutFirstMinute(kind, { afterMs: random() * longestMs, isStarting });
        console.log(`  ${kind}, cut after ${said}`);
      }
    },
    LIMIT_MS,
  );

  test.each<FileSystem>(['ext4', 'xfs'])(
    `of %s: ${LATER} under load lose nothing of ${EVENTS / 2} events`,
    async (kind) => {
      const disk = newDisk(kind);
      afterAll(disk.close);
      const host = new Host(disk);
      await host.start();
      const crash = await load(host);
      const { sender } = crash;
      const sending = sender.run();
      let starting = 0;
      for (let cut = 1; cut <= LATER; cut += 1) {
        await until('events come in', (saw) => {
          saw(sender.acknowledgedEvents);
          return sender.acknowledgedEvents >= (EVENTS / 2) * (cut / LATER);
        });
        await pause(random() * 3_000, 'a cut at any moment');
        await host.cut();
        if (random() < 0.2) {
          starting += 1;
          await host.cutStarting(random() * STARTING_MS);
        }
        await host.start();
        await expectVisible(crash);
      }
      sender.stop();
      const total = await sending;
      await host.expectOnce(crash, total);
      console.log(
        `  ${kind}: ${LATER} cuts and ${starting} amid the start after one; slowest start ` +
          `${Math.round(host.slowestStartMs)} ms; ${report(crash, total)}`,
      );
    },
    LIMIT_MS,
  );
});
