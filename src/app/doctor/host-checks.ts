import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { nearestFolder } from '../../event-store/append.ts';
import { misspeltSettings } from '../../config.ts';
import { openCountries } from '../../modules/events/index.ts';
import { describeLack, fleetingFolder, lacksOf, NEEDS } from '../../observability/needs.ts';
import { ConfigError } from '../../shared/env.ts';
import { machineMemoryMb } from '../../shared/machine-memory.ts';
import { freeBytes } from '../../storage/files.ts';
import type { Check, Finding } from './check.ts';

const MIB = 1024 ** 2;
const FILES = { fewest: 1_024, enough: 4_096 };

export async function unwritable(folder: string): Promise<Finding[]> {
  const nearest = await nearestFolder(folder);
  return access(nearest, constants.W_OK | constants.X_OK).then(
    () => [],
    () => [{ found: `${folder} cannot be written: this account has no right to ${nearest}.` }],
  );
}

async function openFiles(pid: number | 'self'): Promise<number | null> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? null : Number(most);
}

export const HOST_CHECKS: readonly Check[] = [
  {
    name: 'data-lasts',
    question: 'Does DATA_DIR outlive the machine’s memory and the container?',
    severity: 'warning',
    cure: 'Put DATA_DIR on a disk or a volume, or set EVENTS_ACK=bucket.',
    find: async ({ deps: { config } }) => {
      const found = await fleetingFolder({
        ...config,
        dataDir: await nearestFolder(config.dataDir),
      });
      return found === null ? [] : [{ found }];
    },
  },
  {
    name: 'disk',
    question: 'Is there room on the disk of DATA_DIR?',
    cure: 'Free space, move DATA_DIR to a larger disk, or lower DISK_FLOOR_MB.',
    find: async ({ deps: { config } }) => {
      const { diskFloorMb } = config.events;
      const freeMb = (await freeBytes(await nearestFolder(config.dataDir))) / MIB;
      const found = `${Math.floor(freeMb)} MB are free; events are refused below ${diskFloorMb} MB (DISK_FLOOR_MB).`;
      if (freeMb >= 2 * diskFloorMb) return found;
      return [{ found, severity: freeMb < diskFloorMb ? 'error' : 'warning' }];
    },
  },
  {
    name: 'open-files',
    question: 'May the service open enough files and connections?',
    severity: 'warning',
    cure: 'Raise the limit to 65536: LimitNOFILE= of the systemd unit, --ulimit nofile= of the container, or ulimit -n.',
    find: async ({ pid }) => {
      const most = await openFiles(pid);
      if (most === null || most >= FILES.enough) return most === null ? null : [];
      const severity = most < FILES.fewest ? 'error' : 'warning';
      return [{ found: `It may open ${most} files and connections at a time.`, severity }];
    },
  },
  {
    name: 'memory',
    question: 'Is there memory enough for the query processes?',
    severity: 'warning',
    cure: 'Lower QUERY_MEMORY_MB or QUERY_PROCESSES, or give the machine or the container more.',
    find: async ({ deps: { config } }) => {
      if (!config.roles.includes('query')) return null;
      const { processes, memoryMb } = config.query;
      const [mostMb, machineMb] = [processes * memoryMb, Math.floor(machineMemoryMb())];
      if (mostMb <= machineMb) return [];
      return [{ found: `Query processes may take ${mostMb} MB of the ${machineMb} MB here.` }];
    },
  },
  {
    name: 'roles',
    question: 'Is the work that ROLE leaves out done by others on this DATA_DIR?',
    severity: 'warning',
    cure: 'Add the role to ROLE, or share DATA_DIR with a host that has it.',
    find: async ({ isRunning, deps: { config } }) =>
      (await lacksOf(config)).map((lack) => ({
        found: describeLack(lack, config),
        // Before its start another container may be yet to come.
        severity: NEEDS[lack.part].startsWithout || !isRunning ? 'warning' : 'error',
      })),
  },
  {
    name: 'setting-names',
    question: 'Are variables named as settings are?',
    severity: 'warning',
    cure: 'Rename it: it is ignored.',
    find: async () => misspeltSettings().map((found) => ({ found })),
  },
  {
    name: 'country-table',
    question: 'Can the table of countries be read?',
    cure: 'Set COUNTRY_TABLE to a MaxMind DB file, or leave it out.',
    find: async ({ deps: { config } }) => {
      if (config.countryTable === undefined || !config.roles.includes('api')) return null;
      try {
        openCountries(config.countryTable);
        return [];
      } catch (thrown) {
        if (!(thrown instanceof ConfigError)) throw thrown;
        return thrown.problems.map((found) => ({ found }));
      }
    },
  },
  {
    name: 'secrets-set',
    question: 'Are the secrets of the installation set?',
    cure: 'Set it to the output of "openssl rand -base64 32", the same on every host, and keep a copy.',
    find: async ({ deps: { config } }) => [
      ...(config.authSecret === undefined && config.roles.includes('api')
        ? [{ found: 'AUTH_SECRET is not set: nobody can sign in.' }]
        : []),
      ...(config.secretsKeys.length === 0
        ? [{ found: 'SECRETS_KEY is not set: keys of stores and secrets of webhooks answer 503.' }]
        : []),
    ],
  },
];
