import { afterAll } from 'bun:test';
import { sqlSocket } from '../../src/modules/sql/client.ts';
import { querySocket } from '../../src/query/protocol.ts';
import { makePrivateFolder } from '../../src/storage/files.ts';
import type { TestService } from './service.ts';

/** Says at once what a service says after eight seconds in which no query process answers. */
export function answerNoQuestions({ deps: { config } }: TestService): void {
  makePrivateFolder(config.runDir);
  const { runDir } = config;
  const faults = [
    { unix: querySocket(runDir, 0), fault: 'away' },
    { unix: sqlSocket(runDir, 0), fault: 'lost' },
  ];
  const servers = faults.map(({ unix, fault }) =>
    Bun.serve({ unix, fetch: () => Response.json({ fault, message: 'No process answers.' }) }),
  );
  afterAll(() => Promise.all(servers.map((server) => server.stop(true))));
}
