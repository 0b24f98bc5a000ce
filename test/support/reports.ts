import { foldPack } from '../../src/modules/sales/analytics/fold.ts';
import { createPacker, readPack } from '../../src/modules/sales/analytics/pack.ts';
import type { RateTable } from '../../src/modules/sales/rates/rate-table.ts';
import { reportPieces } from '../../src/providers/store/body.ts';
import type { PieceReader } from '../../src/providers/store/report/table.ts';
import { scaledAmount } from '../../src/shared/scaled-amount.ts';

/** Everything that a reader finds in a text which comes in one piece. */
export const readWhole = <T>(reader: PieceReader<T>, text: string): T[] => [
  ...reader.push(text),
  ...reader.end(),
];

/** The text of a report as the store sent it. */
export async function textOfReport(raw: Uint8Array): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of reportPieces(raw)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** A plain decimal of one currency in minor units of another. */
export const convertTo =
  (table: RateTable, target: string) => (amount: string, currency: string, day: string) => {
    const convert = table.converter(currency, target, day);
    return convert ? convert(scaledAmount(amount)) : null;
  };

type PackOptions = Parameters<typeof foldPack>[1];
type Facts = Parameters<ReturnType<typeof createPacker>['add']>[0];

/** Facts folded the way they are kept: packed, through JSON, and then summed. */
export function foldFacts(facts: Facts, context: PackOptions) {
  const packer = createPacker();
  packer.add(facts);
  const kept = readPack(JSON.parse(JSON.stringify(packer.pack)));
  if (!kept) throw new Error('The pack cannot be read again.');
  return foldPack(kept, context);
}
