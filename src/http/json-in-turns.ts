import { parseExact } from '../shared/exact-json.ts';
import { createTurns, type Turns } from '../shared/turns.ts';
import { type Container, findParts, malformed, type Part } from './json-parts.ts';

const PART_CHARACTERS = 64 * 1024;

const isBlank = (text: string): boolean => !/[^ \t\n\r]/.test(text);

const checkBlank = (text: string): void => {
  if (!isBlank(text)) malformed();
};

/** Also `__proto__`. */
const define = (fields: object, name: string, value: unknown) =>
  Object.defineProperty(fields, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });

const toObject = (parsed: unknown): object =>
  typeof parsed === 'object' && parsed !== null ? parsed : malformed();

class Parsing {
  constructor(
    private readonly json: string,
    private readonly turns: Turns,
  ) {}

  async whole(root: Container): Promise<unknown> {
    checkBlank(this.json.slice(0, root.start));
    checkBlank(this.json.slice(root.end));
    return this.#value(root);
  }

  async #value({ end, isList, parts }: Container): Promise<unknown> {
    if (this.json[end - 1] !== (isList ? ']' : '}')) malformed();
    const list: unknown[] = [];
    const fields = {};
    for (const part of parts) {
      const parsed = await this.#part(part, isList);
      const names = isList ? [] : Object.keys(parsed);
      const values: unknown[] = Object.values(parsed);
      if (parts.length > 1 && values.length === 0) malformed();
      for (const [index, value] of values.entries()) {
        if (isList) list.push(value);
        else define(fields, names[index] ?? '', value);
      }
      if (this.turns.isOver()) await this.turns.next();
    }
    return isList ? list : fields;
  }

  async #part({ start, end, container }: Part, isList: boolean): Promise<object> {
    const [open, close] = isList ? '[]' : '{}';
    const text = this.json.slice(start, container?.start ?? end);
    if (container === null) return toObject(parseExact(`${open}${text}${close}`));
    checkBlank(this.json.slice(container.end, end));
    const names = Object.keys(JSON.parse(`${open}${text}""${close}`));
    if (names.length !== 1) malformed();
    const value = await this.#value(container);
    return isList ? [value] : { [names[0] ?? '']: value };
  }
}

/** As `parseExact`, while other requests have their turns. Throws for more than it should cost. */
export async function parseInTurns(
  json: string,
  partCharacters = PART_CHARACTERS,
): Promise<unknown> {
  if (json.length <= partCharacters) return json === '' ? undefined : parseExact(json);
  const turns = createTurns();
  const root = await findParts(json, turns, partCharacters);
  return root === null ? parseExact(json) : new Parsing(json, turns).whole(root);
}
