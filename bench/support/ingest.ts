import autocannon from 'autocannon';
import { benchBatch } from '../ingest/batch.ts';

export type IngestLoad = {
  address: string;
  serviceKey: string;
  seconds: number;
  connections: number;
  /** Batches a second; as many as go when left out. */
  rate?: number;
  /** How many different batches there are before they come again. */
  bodies: number;
  /** What makes a batch of another turn another batch; resent ones when left out. */
  renew?: (body: string, turn: number) => string;
};

export type IngestFigures = { rate: number; p99Ms: number; refused: number };

/** Sends batches for so long. */
export async function sendBatches(load: IngestLoad): Promise<IngestFigures> {
  const { address, serviceKey, seconds, connections, rate, renew = (body) => body } = load;
  const bodies = Array.from({ length: load.bodies }, (_, i) => benchBatch(i, Date.now()));
  let turn = 0;
  const result = await autocannon({
    url: `${address}/v1/events`,
    method: 'POST',
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    headers: { 'x-service-key': serviceKey, 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request) => {
          turn += 1;
          return { ...request, body: renew(bodies[turn % bodies.length] ?? '', turn) };
        },
      },
    ],
  });
  return { rate: result.requests.average, p99Ms: result.latency.p99, refused: result.non2xx };
}

/** The same, where nothing may be refused. */
export async function sendTaken(load: IngestLoad): Promise<IngestFigures> {
  const figures = await sendBatches(load);
  if (figures.refused > 0) throw new Error(`${figures.refused} answers were not 2xx.`);
  return figures;
}
