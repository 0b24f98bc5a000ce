import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Gives the text of a stream as it comes, until its end. */
export async function readText(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}

/** For the runner to show when a test of this file fails (`scripts/test/said.ts`). */
export function keepSaid(name: string, text: string): void {
  const dir = process.env.TEST_SAID_DIR;
  if (dir === undefined) return;
  mkdirSync(dir, { recursive: true });
  appendFileSync(join(dir, name), text);
}
