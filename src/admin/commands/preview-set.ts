import { Type } from '@sinclair/typebox';
import { setPreviewRunner } from '../../modules/preview/index.ts';
import { Text } from '../../shared/text.ts';
import { defineCommand } from '../command.ts';

export const previewSetCommand = defineCommand({
  name: 'preview set',
  summary: 'Set the command that runs the preview of an app',
  input: Type.Object({
    app: Type.String({ description: 'Id of the app' }),
    command: Type.Optional(Text(1, 4_000, { description: 'For a shell; left out: no runner' })),
  }),
  run: async (ctx, { app, command }) => {
    const data = await setPreviewRunner(ctx, { appId: app, command: command ?? null });
    const text = command === undefined ? 'The app has no runner.' : `The runner is: ${command}`;
    return { data, text };
  },
});
