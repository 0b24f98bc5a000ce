import { Type } from '@sinclair/typebox';
import { compactNow } from '../../event-store/keep.ts';
import { defineCommand } from '../command.ts';

export const eventsCompactCommand = defineCommand({
  name: 'events compact',
  summary: 'Turn the event log into files and do all maintenance of event files that is due',
  input: Type.Object({}),
  run: async (ctx) => {
    const data = await compactNow(ctx);
    return { data, text: `${data.events} events compacted, ${data.jobs} maintenance jobs done.` };
  },
});
