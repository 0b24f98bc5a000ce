/** The part of JSON Schema that the service's document uses. */
export interface Schema {
  /** The name of a schema of `Description.schemas`. */
  $ref?: string;
  description?: string;
  /** A list for a type beside null. */
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  /** A boolean that is always this. */
  'x-const'?: boolean;
  anyOf?: Schema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  format?: string;
}

/** One operation of the service. */
export interface Described {
  method: string;
  path: string;
  /** Ids that stand in the query or the body, where no URL resolves them. */
  ids?: string[];
  /** Parameters of the query that are always sent. */
  needs?: string[];
  /** Called with the publishable key of an app. */
  device: boolean;
  /** By success status: the schema of the JSON, `text`, or null where there is no body. */
  answers: Record<string, Schema | string | null>;
}

/** What `operations.json` holds. */
export interface Description {
  operations: Record<string, Described>;
  schemas: Record<string, Schema>;
}
