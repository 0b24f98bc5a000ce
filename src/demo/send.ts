import { BatchAccepted, type EventBatch } from '../modules/events/model.ts';
import { parser } from '../shared/schema.ts';
import type { DemoApi } from './api.ts';

const CONNECTIONS = 8;
const accepted = parser(BatchAccepted, 'answer to a batch');

/** Sends everything over a few connections, as many devices would; returns the events taken. */
export async function sendBatches(
  api: DemoApi,
  batches: readonly EventBatch[],
  onProgress: (sent: number) => void,
): Promise<number> {
  let next = 0;
  let events = 0;
  const work = async () => {
    for (let batch = batches[next++]; batch; batch = batches[next++]) {
      const answer = await api.post('/v1/events', batch, accepted.parse);
      events += answer.accepted;
      onProgress(events);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return events;
}
