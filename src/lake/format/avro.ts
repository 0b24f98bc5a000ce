import { type schema, streams } from 'avsc';

/** Verbatim, since `field-id` belongs in the header. */
export type AvroSchema = schema.DefinedType;

export const field = (name: string, id: number, type: schema.AvroSchema) => ({
  name,
  type,
  'field-id': id,
});

export const optional = (name: string, id: number, type: AvroSchema) => ({
  ...field(name, id, [NULL, type]),
  default: null,
});

const NULL = 'null';

export async function avroFile(
  type: AvroSchema,
  header: Readonly<Record<string, string>>,
  records: readonly object[],
): Promise<Buffer> {
  const metadata = Object.fromEntries(
    Object.entries(header).map(([key, text]) => [key, Buffer.from(text)]),
  );
  // Empty lists need a header too.
  const options = { codec: 'deflate', metadata, writeHeader: 'always' } as const;
  const encoder = new streams.BlockEncoder(type, options);
  const chunks: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  encoder.on('end', ended.resolve);
  encoder.on('error', ended.reject);
  for (const record of records) encoder.write(record);
  encoder.end();
  await ended.promise;
  return Buffer.concat(chunks);
}
