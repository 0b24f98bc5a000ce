/** Without TypeBox's symbols. */
export const plainSchema = (schema: object) => JSON.parse(JSON.stringify(schema));

/** Two media types: beyond the response schema of a route. */
export const jsonOrCsv = (schema: object) => ({
  'application/json': { schema: plainSchema(schema) },
  'text/csv': { schema: { type: 'string' as const } },
});

export function wantsCsv(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '';
  const csv = accept.indexOf('text/csv');
  const json = accept.indexOf('application/json');
  return csv !== -1 && (json === -1 || csv < json);
}

type Asked = { request: Request; set: { headers: Record<string, string | number> } };

/** An answer in the media type that the client prefers. */
export async function answerIn<T>(
  { request, set }: Asked,
  as: { json: () => T | Promise<T>; csv: () => string | Promise<string> },
): Promise<T | Response> {
  set.headers.vary = 'accept';
  if (!wantsCsv(request)) return as.json();
  const csv = await as.csv();
  set.headers['content-type'] = 'text/csv; charset=utf-8';
  return new Response(csv);
}
