type Json = Record<string, any>;

/** The document with every `$ref` to a named schema replaced by that schema; `Error` stays. */
export function dereferenced<T>(document: T & { components: { schemas: Json } }): T {
  const within = (value: any): any => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    const name = /^#\/components\/schemas\/(\w+)$/.exec(value.$ref ?? '')?.[1];
    if (name && name !== 'Error') return within(document.components.schemas[name]);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one)]));
  };
  return within(document);
}

export type Operation = Json & { operationId: string; route: string; method: string; path: string };

/** The name of a shared response that is referred to. */
export const sharedResponse = (declared: Json | undefined): string | undefined =>
  /^#\/components\/responses\/(\w+)$/.exec(declared?.$ref ?? '')?.[1];

/** By status, with the shared responses in their places. */
function responsesOf(document: Json, { responses }: Json): Json {
  const entries = Object.entries<Json>(responses).map(([status, declared]) => {
    const name = sharedResponse(declared);
    return [status, name ? document.components.responses[name] : declared];
  });
  return Object.fromEntries(entries);
}

/** The operations of the document, each with its route as the access table writes it. */
export function operationsOf(document: { paths: Record<string, Json> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, operation]): Operation => {
      const method = lower.toUpperCase();
      return {
        ...operation,
        responses: responsesOf(document, operation),
        method,
        path,
        route: `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      };
    }),
  );
}
