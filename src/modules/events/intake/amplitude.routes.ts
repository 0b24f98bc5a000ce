import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { amplitudeReader, invalidFields } from './amplitude.ts';
import { AMPLITUDE, takenBy } from './protocols.ts';
import { takeMessages } from './take.ts';

const Sent = Type.Object({ events: Type.Array(Type.Unknown()) }, { additionalProperties: true });

export const amplitudeIntakeRoutes = new Elysia({ prefix: '/v1/amplitude' }).use(access);
for (const path of ['/2/httpapi', '/batch']) {
  amplitudeIntakeRoutes.post(
    path,
    async ({ ctx, body, set }) => {
      const receivedMs = ctx.deps.clock().getTime();
      const { refused, sent } = await takeMessages(ctx, body.events, amplitudeReader());
      if (refused.length > 0) {
        set.status = 400;
        return {
          code: 400,
          error: 'Some events were refused; the others are stored.',
          events_with_invalid_fields: invalidFields(refused),
        };
      }
      return {
        code: 200,
        events_ingested: sent,
        payload_size_bytes: Buffer.byteLength(ctx.rawBody),
        server_upload_time: receivedMs,
      };
    },
    { ...takenBy(AMPLITUDE), body: Sent },
  );
}
