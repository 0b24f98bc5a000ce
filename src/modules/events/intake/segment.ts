import { isRecord } from '../../../shared/record.ts';
import { contentIds, type Fields, toRecord, toText } from '../imports/event.ts';
import { segment } from '../imports/segment.ts';
import type { ReadMessage } from './take.ts';

export function withSharedContext({ batch, context }: Fields & { batch: unknown[] }): unknown[] {
  if (!isRecord(context)) return batch;
  return batch.map((message) =>
    isRecord(message)
      ? { ...message, context: { ...context, ...toRecord(message.context) } }
      : message,
  );
}

export function segmentReader(): ReadMessage {
  const toId = contentIds({ sentAt: undefined });
  return (message) => {
    const time = toText(message.timestamp) ?? toText(message.originalTimestamp);
    if (toText(message.messageId) !== undefined || time === undefined) return segment(message);
    return segment({ ...message, messageId: toId(message) });
  };
}
