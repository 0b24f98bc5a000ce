import { Type } from '@sinclair/typebox';
import { MAX_CONVERSION_HOURS, setFunnelWindow } from '../../modules/funnels/index.ts';
import { defineCommand } from '../command.ts';

export const funnelWindowCommand = defineCommand({
  name: 'funnel-window',
  summary: 'Set how long people of an app have to convert when a report does not say',
  input: Type.Object({
    app: Type.String({ description: 'Id of the app' }),
    hours: Type.Integer({
      minimum: 1,
      maximum: MAX_CONVERSION_HOURS,
      description: `1 to ${MAX_CONVERSION_HOURS}`,
    }),
  }),
  run: async (ctx, { app, hours }) => {
    const data = await setFunnelWindow(ctx, { appId: app, hours });
    return { data, text: `People of ${app} have ${hours} hours to convert.` };
  },
});
