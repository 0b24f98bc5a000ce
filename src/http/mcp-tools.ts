import { type Static, Type } from '@sinclair/typebox';
import { pathSegment } from '../shared/path-segment.ts';
import { PERMISSIONS, type Permission } from '../shared/permissions.ts';
import { OneOf, parser } from '../shared/schema.ts';

const Parameter = Type.Object({
  name: Type.String(),
  in: OneOf(['path', 'query']),
  required: Type.Boolean(),
  description: Type.Optional(Type.String()),
  schema: Type.Record(Type.String(), Type.Unknown()),
});

const Operation = Type.Object({
  operationId: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  description: Type.String(),
  'x-same-as': Type.Optional(Type.String()),
  'x-permission': Type.Optional(OneOf(PERMISSIONS)),
  parameters: Type.Optional(Type.Array(Parameter)),
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
});
const operations = parser(
  Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
  'paths of the OpenAPI document',
);

type Parameter = Static<typeof Parameter>;

export type ReadTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] };
  permission: Permission | undefined;
  path: string;
  parameters: readonly Parameter[];
};

/** Sources of path ids. */
const IDS: Readonly<Record<string, string>> = {
  id: 'The id of an app: listApps gives it.',
  funnelId: 'The id of a funnel: listFunnels gives it.',
  flagId: 'The id of a flag: listFlags gives it.',
  experimentId: 'The id of an experiment: listExperiments gives it.',
  onboardingId: 'The id of an onboarding: listOnboardings gives it.',
  questionId: 'The id of a saved question: listQuestions gives it.',
  segmentId: 'The id of a segment: listSegments gives it.',
  webhookId: 'The id of a webhook: listWebhooks gives it.',
  personId: 'A user id or an anonymous id, as the events carry it.',
};

function propertyOf({ name, in: place, description, schema }: Parameter): [string, object] {
  const said = description ?? (place === 'path' ? IDS[name] : undefined);
  return [name, said === undefined ? schema : { ...schema, description: said }];
}

/** Read routes open to organization keys. */
export function readTools(paths: unknown): ReadTool[] {
  const parsed = Object.entries(operations.parse(paths));
  const elsewhere = new Map(parsed.map(([path, { get }]) => [get?.['x-same-as'], path]));
  return parsed.flatMap(([path, { get }]): ReadTool[] => {
    const takesKeys = get?.security?.some((scheme) => 'orgKey' in scheme);
    if (!get?.operationId || !takesKeys || get['x-same-as']) return [];
    const { parameters = [] } = get;
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    const properties = Object.fromEntries(parameters.map(propertyOf));
    return [
      {
        name: get.operationId,
        title: get.summary ?? get.operationId,
        description: `${get.summary}. ${get.description}`,
        inputSchema: { type: 'object', properties, required },
        permission: get['x-permission'],
        path: elsewhere.get(get.operationId) ?? path,
        parameters,
      },
    ];
  });
}

/**
 * Passes unknown arguments on, to be refused. Throws `invalid_input` for ids that would alter the
 * path.
 */
export function addressOf({ path, parameters }: ReadTool, given: Record<string, unknown>): string {
  const left = new Map(Object.entries(given));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return pathSegment(String(value ?? ''), name);
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const isAbsent = value === null && parameters.some((one) => one.name === name);
    if (!isAbsent) query.append(name, text);
  }
  return `${filled}${query.size > 0 ? `?${query}` : ''}`;
}
