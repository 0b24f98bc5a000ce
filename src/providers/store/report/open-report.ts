import { reportPieces } from '../body.ts';
import type { Report, ReportRequest, SalesFact } from '../port.ts';
import { salesReader } from './sales.ts';
import { subscriptionEventReader } from './subscription-events.ts';

const READERS = { SALES: salesReader, SUBSCRIPTION_EVENT: subscriptionEventReader } as const;

async function contentHash(raw: Uint8Array): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of reportPieces(raw)) hasher.update(piece);
  return hasher.digest('hex');
}

async function* readFacts(
  { reportType, day }: ReportRequest,
  raw: Uint8Array,
): AsyncGenerator<SalesFact[]> {
  const reader = READERS[reportType](day);
  const decoder = new TextDecoder();
  for await (const piece of reportPieces(raw)) {
    yield reader.push(decoder.decode(piece, { stream: true }));
  }
  yield reader.push(decoder.decode());
  yield reader.end();
}

/** A report that is read as often as it is asked for, a piece at a time. */
export function openReport(request: ReportRequest, raw: Uint8Array): Report {
  return {
    raw,
    contentHash: () => contentHash(raw),
    facts: () => readFacts(request, raw),
  };
}
