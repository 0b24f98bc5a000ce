import { Words } from './words.ts';

/** Properties with more values in a section are read from the file. */
const MAX_VALUES = 255;
const MAX_VALUE_LENGTH = 100;
/** Per section, fewest values first. */
const MAX_COLUMNS = 8;
const MAX_NAMES = 64;
/** Cache of parsed texts. */
const MAX_TEXTS = 1_000;

export type PropertyColumn = {
  name: string;
  /** Code of each JSON value, from 1. */
  values: Map<string, number>;
  rows: Words<Int32Array<ArrayBuffer>>;
  codes: Words<Uint8Array<ArrayBuffer>>;
};

type Code = { column: PropertyColumn; code: number };

/** Shared by a file's sections; bounds memory. */
export type CodeBudget = { left: number };

export type Scalar = string | number | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function parseObject(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

export class Props {
  #parsed: object | null | undefined;

  constructor(readonly text: string) {}

  get parsed(): object | null {
    if (this.#parsed === undefined) this.#parsed = parseObject(this.text);
    return this.#parsed;
  }
}

export class SectionProperties {
  readonly #columns = new Map<string, PropertyColumn>();
  readonly #wide = new Set<string>();
  readonly #texts = new Map<string, Code[]>();
  readonly #budget: CodeBudget;
  #hasOthers = false;

  constructor(budget: CodeBudget) {
    this.#budget = budget;
  }

  add(row: number, props: Props): void {
    if (this.#budget.left <= 0) {
      this.#giveUp();
      return;
    }
    const codes = this.#texts.get(props.text) ?? this.#read(props);
    this.#budget.left -= codes.length;
    for (const { column, code } of codes) {
      column.rows.push(row);
      column.codes.push(code);
    }
  }

  #read({ text, parsed }: Props): Code[] {
    if (parsed === null) {
      this.#hasOthers = true;
      return [];
    }
    const codes = Object.entries(parsed).flatMap(([name, value]) =>
      isScalar(value) ? this.#codeOf(name, JSON.stringify(value)) : [],
    );
    if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, codes);
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
    // The sum never shrinks, so a refused name stays refused.
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
    // Cached texts hold codes of it.
    this.#texts.clear();
  }

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
