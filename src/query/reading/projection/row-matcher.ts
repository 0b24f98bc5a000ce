import type { Projection, Section, Sender } from '../../../event-store/projections.ts';
import { at, must, outside } from '../../../shared/assert.ts';
import { EVENT_FIELDS, isSenderField, type SenderField } from '../../../shared/event-fields.ts';
import { toPropertyName } from '../../selection/conditions.ts';
import { type FieldValue, testFields, type RowTest } from '../../selection/row-test.ts';
import type { EntryMembers } from './members.ts';
import { listValues, MAX_LISTED_VALUES, type RowProperty, rowProperty } from './row-property.ts';
import type { RowBuffer } from './rows.ts';
import type { CountedPart } from './share.ts';

export const senderValue = (sender: Sender, field: SenderField): string | null =>
  sender[EVENT_FIELDS[field].sender]?.toWellFormed() ?? null;

export const profileSender = ({ profiles }: Projection, profile: number): Sender =>
  must(at(profiles, profile).sender, 'only projections with senders are asked for them');

const isOfSender = (test: RowTest): boolean => testFields(test).every(isSenderField);

function holdsForSender(test: RowTest, sender: Sender): boolean {
  if ('membership' in test) return outside('Senders are not asked for members.');
  if ('all' in test) return test.all.every((part) => holdsForSender(part, sender));
  if ('any' in test) return test.any.some((part) => holdsForSender(part, sender));
  return isSenderField(test.field) && test.holds(senderValue(sender, test.field));
}

export function profilesThatHold(test: RowTest, projection: Projection): Uint8Array | null {
  if (!isOfSender(test)) return null;
  return Uint8Array.from(projection.profiles, (_, profile) =>
    holdsForSender(test, profileSender(projection, profile)) ? 1 : 0,
  );
}

type Codes = RowProperty['codes'];
type Table = { holds: Uint8Array; codes: Codes };
type Lookup = { property: RowProperty; test: (value: FieldValue) => boolean; known: Uint8Array };
type Group = { isAll: boolean; parts: readonly Part[] };
type ByMember = { members: EntryMembers; is: boolean };
type Part = Table | Lookup | Group | ByMember;

const [UNTRIED, FAILS, HOLDS] = [0, 1, 2];

function toTable(holds: Uint8Array, codes: Codes): Table | boolean {
  if (!holds.includes(0)) return true;
  return holds.includes(1) ? { holds, codes } : false;
}

function toGroup(isAll: boolean, parts: readonly (Part | boolean)[]): Part | boolean {
  const open: Part[] = [];
  for (const part of parts) {
    if (typeof part !== 'boolean') open.push(part);
    else if (part !== isAll) return part;
  }
  if (open.length === 0) return isAll;
  return open.length === 1 ? at(open, 0) : { isAll, parts: open };
}

function compile(test: RowTest, section: Section, part: CountedPart): Part | boolean {
  const { projection, members } = part;
  if ('membership' in test) {
    const found = must(members, 'a part knows the members of its question');
    return { members: found.of(test.membership), is: test.is };
  }
  const ofSender = profilesThatHold(test, projection);
  if (ofSender) return toTable(ofSender, null);
  const compileAll = (tests: readonly RowTest[]) => tests.map((one) => compile(one, section, part));
  if ('all' in test) return toGroup(true, compileAll(test.all));
  if ('any' in test) return toGroup(false, compileAll(test.any));
  if (test.field === 'name') return test.holds(section.name);
  const prop = must(toPropertyName(test.field), 'projections are not asked for other fields');
  return ofProperty(rowProperty(section, prop), test.holds);
}

function ofProperty(
  property: RowProperty | null,
  test: (value: FieldValue) => boolean,
): Part | boolean {
  if (!property) return test(null);
  const { codes, length } = property;
  if (codes === null || length > MAX_LISTED_VALUES) {
    return { property, test, known: new Uint8Array(codes === null ? 0 : length) };
  }
  const holds = listValues(property).map((value) => (test(value) ? 1 : 0));
  return toTable(Uint8Array.from(holds), codes);
}

function lookUp(
  { property: { codes, at }, test, known }: Lookup,
  { first }: RowBuffer,
  count: number,
  found: Uint8Array,
): void {
  for (let row = 0; row < count; row += 1) {
    if (codes === null) {
      found[row] = test(at(first + row)) ? 1 : 0;
      continue;
    }
    const code = codes[first + row];
    if (known[code] === UNTRIED) known[code] = test(at(code)) ? HOLDS : FAILS;
    found[row] = known[code] === HOLDS ? 1 : 0;
  }
}

function lookForMembers(
  { members, is }: ByMember,
  { entries }: RowBuffer,
  count: number,
  found: Uint8Array,
): void {
  for (let row = 0; row < count; row += 1) found[row] = members.has(entries[row]) === is ? 1 : 0;
}

export class RowMatcher {
  readonly #profileOf: Projection['profileOf'];
  readonly #part: Part;
  readonly #found: Uint8Array[] = [];

  private constructor(part: Part, { profileOf }: Projection) {
    this.#part = part;
    this.#profileOf = profileOf;
  }

  static of(test: RowTest | null, section: Section, part: CountedPart): RowMatcher | boolean {
    const compiled = test === null || compile(test, section, part);
    return typeof compiled === 'boolean' ? compiled : new RowMatcher(compiled, part.projection);
  }

  /** Valid until the next call. */
  match(rows: RowBuffer, count: number): Uint8Array {
    return this.#fill(this.#part, rows, count, 0);
  }

  #fill(part: Part, rows: RowBuffer, count: number, depth: number): Uint8Array {
    this.#found[depth] ??= new Uint8Array(rows.entries.length);
    const found = this.#found[depth];
    if ('holds' in part) this.#look(part, rows, count, found);
    else if ('members' in part) lookForMembers(part, rows, count, found);
    else if ('known' in part) lookUp(part, rows, count, found);
    else this.#unite(part, rows, count, { found, depth });
    return found;
  }

  #look({ holds, codes }: Table, { entries, first }: RowBuffer, count: number, found: Uint8Array) {
    if (codes) {
      for (let row = 0; row < count; row += 1) found[row] = holds[codes[first + row]];
      return;
    }
    const profileOf = this.#profileOf;
    for (let row = 0; row < count; row += 1) found[row] = holds[profileOf[entries[row]]];
  }

  #unite(
    { isAll, parts }: Group,
    rows: RowBuffer,
    count: number,
    { found, depth }: { found: Uint8Array; depth: number },
  ): void {
    found.fill(isAll ? 1 : 0, 0, count);
    for (const part of parts) {
      const other = this.#fill(part, rows, count, depth + 1);
      for (let row = 0; row < count; row += 1) {
        if (isAll) found[row] &= other[row];
        else found[row] |= other[row];
      }
    }
  }
}
