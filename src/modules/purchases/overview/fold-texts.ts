import { Type } from '@sinclair/typebox';
import { parser } from '../../../shared/schema.ts';
import { toDigits } from './digits.ts';
import { FORMAT, type PackedFold, PackedSchema, packFold, unpackFold } from './pack.ts';

const packed = parser(PackedSchema, 'packed fold');

const BEGIN = `{"format":${FORMAT},`;
const END = '"}';
/** Family-shared periods make them all differ. */
const KNOWN_MAX = 10_000;

/** Of the release before: numbers in place of digits, replaced periods after all others. */
const earlier = parser(
  Type.Composite([
    Type.Omit(PackedSchema, ['format', 'sold']),
    Type.Object({ format: Type.Literal(4), sold: Type.Array(Type.Integer()) }),
  ]),
  'packed fold of the release before',
);

function readEarlier(text: string): PackedFold | null {
  const kept: unknown = JSON.parse(text);
  if (!earlier.check(kept)) return null;
  const sold = kept.sold.map(toDigits).join('');
  return packFold(unpackFold({ ...kept, format: FORMAT, sold }));
}

/** Reads folds as text, digits last: a beginning that many share is parsed once. */
export class FoldTexts {
  private readonly known = new Map<string, PackedFold>();

  /** Null where it has to be made anew before it counts. */
  read(text: string): PackedFold | null {
    if (!this.isPresent(text)) return readEarlier(text);
    const end = text.length - END.length;
    const start = text.lastIndexOf('"', end - 1) + 1;
    const { format, willRenew, names, shared } = this.commonOf(text.slice(0, start));
    return { format, willRenew, names, shared, sold: text.slice(start, end) };
  }

  isPresent(text: string): boolean {
    return text.startsWith(BEGIN);
  }

  private commonOf(text: string): PackedFold {
    const known = this.known.get(text);
    if (known) return known;
    const common = packed.parse(JSON.parse(text + END));
    if (this.known.size < KNOWN_MAX) this.known.set(text, common);
    return common;
  }
}
