import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Deps, DeviceContext } from '../../context.ts';
import { type AppError, errorMessage } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Sql } from '../../storage/postgres.ts';
import { Heartbeat } from '../hosts/heartbeat.ts';
import { bucketSegmentFiles } from '../log/bucket-file.ts';
import { cannotStore, EventLog, type EventLogOptions, type NewRecord } from '../log/event-log.ts';
import type { Reporter } from '../store.ts';
import { DailyCap } from './daily-cap.ts';
import { diskFloor, nearestFolder } from './disk-floor.ts';
import { addRejections, countedToday } from './queries.ts';
import { Rejections } from './rejections.ts';

const FLUSH_EVERY_MS = 5 * SECOND_MS;
/** Wait for PostgreSQL at opening and closing. */
const FIRST_BEAT_MS = SECOND_MS;

function noRoom(): AppError {
  return cannotStore({
    hint: 'The disk of the service is nearly full. Keep the batch and send it again.',
    retryAfterSeconds: 30,
  });
}

type OpenLog = { eventLog: EventLog; heartbeat: Heartbeat };

function lazyLog(options: EventLogOptions, sql: Sql) {
  const { dir, log } = options;
  let opening: Promise<OpenLog> | null = null;
  const open = async (): Promise<OpenLog> => {
    const eventLog = await EventLog.open(options);
    const heartbeat = new Heartbeat(eventLog, { sql, log });
    // Before the first record, so that other hosts' reports know what they miss.
    await withTimeout(heartbeat.beat(), FIRST_BEAT_MS, () => undefined);
    return { eventLog, heartbeat };
  };
  return {
    open: () => {
      opening ??= open().catch((cause: unknown) => {
        opening = null;
        log.error({ err: errorMessage(cause), dir }, 'event log could not be opened');
        throw cannotStore({ cause });
      });
      return opening;
    },
    close: async () => {
      const opened = await opening?.catch(() => null);
      await opened?.eventLog.close();
      if (opened) await withTimeout(opened.heartbeat.stop(), FIRST_BEAT_MS, () => undefined);
    },
  };
}

export type IntakeOptions = Pick<Deps, 'config' | 'objects' | 'shipper' | 'sql'> & {
  log: Reporter;
};

export function createEventIntake({ config, sql, log, objects, shipper }: IntakeOptions) {
  const { logDir, diskFloorMb, ack } = config.events;
  const onStored = (segmentId: string) => shipper.noteShipped(segmentId);
  const bucket = ack === 'bucket' ? bucketSegmentFiles({ objects, onStored }) : null;
  const options = { dir: logDir, log, onSealed: () => shipper.call() };
  // One group per segment, one PUT per group.
  const lazy = lazyLog(
    bucket ? { ...options, openFile: bucket.open, maxSegmentBytes: 1 } : options,
    sql,
  );
  const hasRoom = diskFloor(logDir, diskFloorMb);
  const rejections = new Rejections();
  const flush = async () => {
    const counted = rejections.take();
    if (counted.length === 0) return;
    await addRejections(sql, counted).catch((error: unknown) => {
      rejections.giveBack(counted);
      log.warn(
        { err: errorMessage(error) },
        'counts of rejected batches could not be stored; retrying',
      );
    });
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return {
    /** Resolves once durable as `EVENTS_ACK` defines; throws `unavailable` otherwise. */
    append: async (record: NewRecord) => {
      const { eventLog } = await lazy.open();
      if (!(await hasRoom())) throw noRoom();
      await eventLog.append(record);
    },
    isOpen: async () => {
      if (bucket?.isAway()) return false;
      const folder = await nearestFolder(logDir);
      const isWritable = await access(folder, constants.W_OK).then(
        () => true,
        () => false,
      );
      return isWritable && (folder === logDir ? hasRoom() : diskFloor(folder, diskFloorMb)());
    },
    cap: new DailyCap(
      (appIds, dayMs) => countedToday(sql, appIds, dayMs),
      (thrown) =>
        log.warn(
          { err: errorMessage(thrown) },
          "today's events could not be counted; until they can, daily caps count this process only",
        ),
    ),
    rejections,
    close: async () => {
      clearInterval(timer);
      await lazy.close();
      await flush();
    },
  };
}

/** Omits production, as in records of earlier releases. */
export function recordOrigin(
  ctx: Pick<DeviceContext<never>, 'orgId' | 'appId' | 'keyId' | 'environment'>,
): Pick<NewRecord, 'org' | 'app' | 'key' | 'environment'> {
  const { orgId, appId, keyId, environment } = ctx;
  const isProduction = environment === 'production';
  return { org: orgId, app: appId, key: keyId, ...(!isProduction && { environment }) };
}
