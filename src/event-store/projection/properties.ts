import { Words } from './words.ts';

/** Values of a property with more of them in one section are read in the file. */
const MAX_VALUES = 255;
const MAX_VALUE_LENGTH = 100;
/** Columns of one section; those with the fewest values. */
const MAX_COLUMNS = 8;
/** Names that are looked at in one section. */
const MAX_NAMES = 64;
/** Texts whose values are remembered. */
const MAX_TEXTS = 1_000;

/** The codes of one property: of each row that has it, by number. */
export type PropertyColumn = {
  name: string;
  /** The code of each value as JSON, from 1. */
  values: Map<string, number>;
  rows: Words<Int32Array<ArrayBuffer>>;
  codes: Words<Uint8Array<ArrayBuffer>>;
};

type Code = { column: PropertyColumn; code: number };

/** Codes that the sections of one file may have together, so that memory is bounded. */
export type CodeBudget = { left: number };

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The object of a text; null where it is something else, which no client can send. */
function parsedOf(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

/** The properties of the rows of one section that have few values. */
export class SectionProperties {
  readonly #columns = new Map<string, PropertyColumn>();
  /** Names with too many values, or too long ones. */
  readonly #wide = new Set<string>();
  readonly #texts = new Map<string, Code[]>();
  readonly #budget: CodeBudget;
  #hasOthers = false;

  constructor(budget: CodeBudget) {
    this.#budget = budget;
  }

  /** The row of a number has these, the text of a JSON object. */
  add(row: number, props: string): void {
    if (this.#budget.left <= 0) {
      this.#giveUp();
      return;
    }
    const codes = this.#texts.get(props) ?? this.#read(props);
    this.#budget.left -= codes.length;
    for (const { column, code } of codes) {
      column.rows.push(row);
      column.codes.push(code);
    }
  }

  #read(props: string): Code[] {
    const parsed = parsedOf(props);
    if (parsed === null) {
      this.#hasOthers = true;
      return [];
    }
    const codes = Object.entries(parsed).flatMap(([name, value]) =>
      isScalar(value) ? this.#codeOf(name, JSON.stringify(value)) : [],
    );
    if (this.#texts.size < MAX_TEXTS) this.#texts.set(props, codes);
    return codes;
  }

  #codeOf(name: string, value: string): Code[] {
    if (this.#wide.has(name)) return [];
    const column = this.#columns.get(name) ?? this.#add(name);
    if (column === null) return [];
    const known = column.values.get(value);
    if (known !== undefined) return [{ column, code: known }];
    if (column.values.size === MAX_VALUES || value.length > MAX_VALUE_LENGTH) {
      this.#drop(name);
      return [];
    }
    const code = column.values.size + 1;
    column.values.set(value, code);
    return [{ column, code }];
  }

  #add(name: string): PropertyColumn | null {
    // The sum never shrinks: a name that was refused is refused for good.
    if (this.#columns.size + this.#wide.size === MAX_NAMES) {
      this.#hasOthers = true;
      return null;
    }
    const column = {
      name,
      values: new Map<string, number>(),
      rows: new Words((length) => new Int32Array(length), 16),
      codes: new Words((length) => new Uint8Array(length), 16),
    };
    this.#columns.set(name, column);
    return column;
  }

  #drop(name: string): void {
    this.#hasOthers = true;
    this.#wide.add(name);
    this.#columns.delete(name);
    // What is remembered has codes of it.
    this.#texts.clear();
  }

  /** Every row from now on has properties that are not looked at. */
  #giveUp(): void {
    this.#hasOthers = true;
    this.#columns.clear();
    this.#texts.clear();
  }

  choose(): { columns: PropertyColumn[]; hasOthers: boolean } {
    const columns = [...this.#columns.values()].toSorted((a, b) => a.values.size - b.values.size);
    return {
      columns: columns.slice(0, MAX_COLUMNS),
      hasOthers: this.#hasOthers || columns.length > MAX_COLUMNS,
    };
  }
}
