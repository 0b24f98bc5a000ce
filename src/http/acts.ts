import { status } from 'elysia';

type Act<Ctx, Input, Made> = (ctx: Ctx, input: Input) => Promise<Made>;

const answering =
  <const Code extends 201 | 202>(code: Code) =>
  <Ctx, Body, Made>(make: Act<Ctx, Body, Made>) =>
  async ({ ctx, body }: { ctx: Ctx; body: Body }) =>
    status(code, await make(ctx, body));

export const created = answering(201);
export const accepted = answering(202);

export const removed =
  <Ctx, Params>(remove: Act<Ctx, Params, void>) =>
  async ({ ctx, params }: { ctx: Ctx; params: Params }) =>
    status(204, await remove(ctx, params));
