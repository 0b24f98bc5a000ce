import { statfs } from 'node:fs/promises';
import type { Config, ProcessRole, WorkerQueue } from '../config.ts';
import { ASKING, pingQueries } from '../shared/query-socket.ts';
import { SECOND_MS } from '../shared/time.ts';
import { withTimeout } from '../shared/timeout.ts';
import { pingMetrics } from './metrics-socket.ts';

/** `main` and `files` are the queues of `worker`. */
type Part = Exclude<ProcessRole, 'worker'> | WorkerQueue;
type Beside = 'compactor' | 'query';

type Needs = {
  /** Roles on the same DATA_DIR, and the loss without them. */
  beside: Partial<Record<Beside, string>>;
  /** DATA_DIR outlives the machine's memory and the container. */
  lasts: boolean;
  startsWithout: boolean;
};

export const NEEDS: Readonly<Record<Part, Needs>> = {
  api: {
    beside: {
      query: 'reports answer 503',
      compactor: 'events wait until a host with a compactor adopts them from the bucket',
    },
    lasts: true,
    startsWithout: true,
  },
  compactor: { beside: {}, lasts: true, startsWithout: true },
  query: { beside: {}, lasts: false, startsWithout: true },
  main: {
    beside: { query: `${Object.values(ASKING).join(', ')} cannot read events` },
    lasts: false,
    startsWithout: false,
  },
  files: { beside: {}, lasts: false, startsWithout: true },
};

export type Host = Pick<Config, 'dataDir' | 'events' | 'roles' | 'runDir' | 'workerQueues'>;

type Taken = Pick<Host, 'roles' | 'workerQueues'>;

export const partsOf = ({ roles, workerQueues }: Taken): Part[] =>
  roles.flatMap((role) => (role === 'worker' ? workerQueues : role));

export type Lack = { part: Part; role: Beside; loss: string };

const PINGS: Record<Beside, (runDir: string) => Promise<unknown>> = {
  compactor: (runDir) => pingMetrics(runDir, 'compactor-0'),
  query: pingQueries,
};

const ANSWER_MS = 5 * SECOND_MS;

/** Needs of roles that another host on this DATA_DIR has to have. */
export async function lacksOf(host: Host): Promise<Lack[]> {
  const wanted = partsOf(host).flatMap((part) =>
    Object.entries(NEEDS[part].beside).map(([role, loss]) => ({ part, role, loss })),
  );
  const outside = wanted.filter((one): one is Lack => !host.roles.some((own) => own === one.role));
  const answering = outside.map(({ role }) =>
    withTimeout(PINGS[role](host.runDir), ANSWER_MS).then(
      () => true,
      () => false,
    ),
  );
  const found = await Promise.all(answering);
  return outside.filter((_, index) => !found[index]);
}

export const describeLack = ({ role, loss }: Lack, { runDir }: Host): string =>
  `ROLE has no ${role}, and no ${role} process answers in ${runDir}: ${loss}.`;

/** Magic numbers of tmpfs, ramfs and the layer of a container. */
const FLEETING = new Set([0x01021994, 0x858458f6, 0x794c7630]);

export async function fleetingFolder(host: Host): Promise<string | null> {
  const isNeeded = host.events.ack === 'disk' && partsOf(host).some((part) => NEEDS[part].lasts);
  if (!isNeeded || !FLEETING.has((await statfs(host.dataDir)).type)) return null;
  return `DATA_DIR (${host.dataDir}) is in memory or in the layer of a container: acknowledged events go with it.`;
}
