import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { answerIn, jsonOrCsv } from '../../http/csv.ts';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { segmentExists } from './index.ts';
import * as model from './model.ts';
import { countSegment, listSegmentPeople, previewSegment, segmentCsv } from './people.ts';
import * as segments from './segments.ts';

const owns = { segmentId: segmentExists };
const OF_SEGMENT = { permission: 'analytics:read', owns } as const;
const CHANGE = { permission: 'app:update', owns, errors: ['conflict'] } as const;

const ruleRoutes = taggedRoutes('Segments', '/v1/apps/:id/segments')
  .get('', ({ ctx }) => segments.listSegments(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: Type.Array(model.Segment) },
    detail: {
      operationId: 'listSegments',
      summary: 'List the segments of an app, by name',
      description: 'Each is a named rule about people; who is in it is counted when it is asked.',
    },
  })
  .post('', created(segments.createSegment), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: model.NewSegment,
    response: { 201: model.Segment },
    detail: {
      operationId: 'createSegment',
      summary: 'Make a segment',
      description:
        'A name that another segment of the app has is 409, as is the 101st. A wrong clause names its place, such as `rule.all[2].experiment`.',
    },
  })
  .post('/preview', ({ ctx, body }) => previewSegment(ctx, body), {
    forApp: { permission: 'analytics:read', errors: ['conflict'] },
    body: model.PreviewSegmentBody,
    response: { 200: model.SegmentPreview },
    detail: {
      operationId: 'previewSegment',
      'x-asks': 'segment',
      summary: 'How many people a rule means, without saving it',
      description: 'With the first twenty of them by id.',
    },
  })
  .get('/:segmentId', ({ ctx, params }) => segments.readSegment(ctx, params), {
    forApp: OF_SEGMENT,
    response: { 200: model.Segment },
    detail: {
      operationId: 'getSegment',
      summary: 'Read a segment',
      description: 'Its name, its rule and who made it.',
    },
  })
  .put(
    '/:segmentId',
    ({ ctx, params, body }) =>
      segments.editSegment(ctx, { segmentId: params.segmentId, change: body }),
    {
      forApp: CHANGE,
      body: model.SegmentChange,
      response: { 200: model.Segment },
      detail: {
        operationId: 'updateSegment',
        summary: 'Edit a segment: its name, its rule or both',
        description:
          'What is left out stays. All that uses it goes by the new rule. A rule that leads back to its own segment is 400.',
      },
    },
  )
  .delete('/:segmentId', removed(segments.deleteSegment), {
    forApp: CHANGE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteSegment',
      summary: 'Delete a segment that nothing uses',
      description: '409 `conflict` while another segment uses it.',
    },
  });

const peopleRoutes = taggedRoutes('Segments', '/v1/apps/:id/segments/:segmentId')
  .get('/uses', ({ ctx, params }) => segments.listSegmentUses(ctx, params), {
    forApp: OF_SEGMENT,
    response: { 200: model.SegmentUses },
    detail: {
      operationId: 'listSegmentUses',
      summary: 'What uses a segment, a hundred at most',
      description: 'Other segments that name it.',
    },
  })
  .get(
    '/count',
    ({ ctx, params, query }) => countSegment(ctx, { segmentId: params.segmentId, query }),
    {
      forApp: { ...OF_SEGMENT, errors: ['conflict'] },
      query: model.SegmentCountQuery,
      response: { 200: model.SegmentCount },
      detail: {
        operationId: 'countSegment',
        summary: 'How many people are in a segment now',
        description:
          'People with an event of clients in this environment, production when left out. Purchases are real ones in either.',
      },
    },
  )
  .get(
    '/people',
    ({ ctx, request, params: { segmentId }, query, set }) =>
      answerIn(
        { request, set },
        {
          json: () => listSegmentPeople(ctx, { segmentId, query }),
          csv: () => segmentCsv(ctx, { segmentId, query }),
        },
      ),
    {
      forApp: { ...OF_SEGMENT, errors: ['conflict'] },
      query: model.SegmentPeopleQuery,
      detail: {
        operationId: 'listSegmentPeople',
        summary: 'Who is in a segment now; with Accept: text/csv everybody as CSV',
        description:
          'By id, a page at a time until `nextCursor` is null; each page is as of its own time. CSV has everybody as of one time, whatever `limit` and `cursor` say.',
        responses: {
          200: { description: 'The people.', content: jsonOrCsv(model.PeopleOfSegment) },
        },
      },
    },
  );

export const segmentsRoutes = new Elysia().use(ruleRoutes).use(peopleRoutes);
