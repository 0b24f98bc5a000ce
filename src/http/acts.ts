import { status } from 'elysia';

type Act<Ctx, Input, Made> = (ctx: Ctx, input: Input) => Promise<Made>;

export const created =
  <Ctx, Body, Made>(make: Act<Ctx, Body, Made>) =>
  async ({ ctx, body }: { ctx: Ctx; body: Body }) =>
    status(201, await make(ctx, body));

export const removed =
  <Ctx, Params>(remove: Act<Ctx, Params, void>) =>
  async ({ ctx, params }: { ctx: Ctx; params: Params }) =>
    status(204, await remove(ctx, params));
