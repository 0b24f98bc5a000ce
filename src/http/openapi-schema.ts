import { Type } from '@sinclair/typebox';
import { isRecord } from '../shared/record.ts';
import { parser } from '../shared/schema.ts';
import { plainSchema } from './csv.ts';

export type JsonSchema = Record<string, unknown>;

const jsonObject = parser(Type.Record(Type.String(), Type.Unknown()), 'OpenAPI schema');

const toJson = (schema: object): JsonSchema => jsonObject.parse(plainSchema(schema));

export const inOrder = (named: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const isNull = (schema: unknown) => isRecord(schema) && schema.type === 'null';

function withNull({ anyOf, ...rest }: JsonSchema): JsonSchema | null {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isNull)) return null;
  const [other] = anyOf.filter((one) => !isNull(one));
  if (!isRecord(other) || typeof other.type !== 'string') return null;
  if ('const' in other || 'x-const' in other) return null;
  const { enum: values, ...type } = other;
  return {
    ...type,
    ...rest,
    type: [other.type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

const forGenerators = (schema: JsonSchema): JsonSchema => {
  const { const: value, ...rest } = schema;
  return typeof value === 'boolean' ? { ...rest, 'x-const': value } : (withNull(schema) ?? schema);
};

/** `shown` stands in the place of the format, `whenLeftOut` is the default. */
function toPublicSchema({ rule: _, whenLeftOut, shown, ...schema }: JsonSchema): JsonSchema {
  const { format, ...rest } = schema;
  const standard = whenLeftOut === undefined ? {} : { default: whenLeftOut };
  return { ...(shown ? { ...rest, ...shown } : schema), ...standard };
}

const HOLDS_ONE = new Set(['items', 'additionalProperties', 'not']);
const HOLDS_NAMED = new Set(['properties', 'patternProperties']);

export class DocumentSchemas {
  private readonly named = new Map<string, JsonSchema>();

  /** Throws for two different schemas with one title. */
  refer(schema: object): JsonSchema {
    return this.show(toJson(schema));
  }

  referClosed(schema: object): JsonSchema {
    const body = toJson(schema);
    const isClosed = body.type === 'object' && !('additionalProperties' in body);
    return this.show(isClosed ? { ...body, additionalProperties: false } : body);
  }

  all(): Record<string, JsonSchema> {
    return inOrder(this.named);
  }

  private show(schema: JsonSchema): JsonSchema {
    const entries = Object.entries(schema).map(([key, value]) => [key, this.within(key, value)]);
    const shown = forGenerators(toPublicSchema(jsonObject.parse(Object.fromEntries(entries))));
    return typeof shown.title === 'string' ? this.name(shown.title, shown) : shown;
  }

  private within(key: string, value: unknown): unknown {
    if (key === 'anyOf' && Array.isArray(value)) return value.map((one) => this.show(one));
    if (!isRecord(value)) return value;
    if (HOLDS_ONE.has(key)) return this.show(jsonObject.parse(value));
    if (!HOLDS_NAMED.has(key)) return value;
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      this.show(jsonObject.parse(one)),
    ]);
    return Object.fromEntries(entries);
  }

  private name(title: string, schema: JsonSchema): JsonSchema {
    const known = this.named.get(title);
    if (known && !Bun.deepEquals(known, schema)) {
      throw new Error(
        `Two different schemas have the title "${title}". Give one of them another title; Type.Partial, Type.Pick and Type.Omit keep the title of what they are made from.`,
      );
    }
    this.named.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }
}
