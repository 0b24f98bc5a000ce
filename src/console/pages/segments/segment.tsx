import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import type { Segment, SegmentPreview } from '../../../../clients/api/src/index.ts';
import { momentIn } from '../../format.ts';
import { Behind } from '../../parts/behind.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { ErrorNotice, Loaded, Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { api, orNull } from '../../state/api.ts';
import { faultAt, faultOf } from '../../state/ask-fault.ts';
import { readRule } from '../../state/read-rule.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { useTimezone } from '../../state/timezone.ts';
import { useApi } from '../../state/use-api.ts';
import { segments as t } from '../../texts/segments.ts';
import { type Clauses, clausesOf, ruleOf } from './clauses.ts';
import { useKnown } from './queries.ts';
import { Rule } from './rule.tsx';

const SENT_DAYS = 28;
const NONE: Clauses = { word: 'all', clauses: [] };
const NEW = 'new';

const usePreview = (appId: string, clauses: Clauses): Query<SegmentPreview> => {
  const rule = ruleOf(clauses);
  return useApi(
    api.previewSegment,
    { id: appId, body: { rule } },
    { enabled: clauses.clauses.length > 0 },
  );
};

function Count({ preview }: { preview: Query<SegmentPreview> }) {
  const { data, error, isFetching } = preview.value;
  if (error) return faultOf(error) ? null : <ErrorNotice error={error} refetch={preview.refetch} />;
  return (
    <p class="segment-count" role="status">
      {data && !isFetching ? t.counted(data.people) : t.counting}
    </p>
  );
}

function Uses({ appId, segmentId }: { appId: string; segmentId: string }) {
  const asked = useApi(api.listSegmentUses, { id: appId, segmentId });
  const paths = { segment: 'segments/', question: 'questions?saved=', flag: 'flags?flag=' };
  return (
    <Card title={t.uses}>
      <Loaded query={asked}>
        {({ uses }) =>
          uses.length === 0 ? (
            <p class="quiet">{t.noUses}</p>
          ) : (
            <ul class="sentences">
              {uses.map(({ kind, id, name }) => (
                <li key={`${kind} ${id}`}>
                  {t.usesKinds[kind]}: <a href={`/apps/${appId}/${paths[kind]}${id}`}>{name}</a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

type PeopleProps = { appId: string; segment: Segment; count: number | undefined };

function People({ appId, segment, count }: PeopleProps) {
  return (
    <Behind
      appId={appId}
      title={t.people}
      question={`${segment.id} ${segment.updatedAt}`}
      {...(count !== undefined && { count })}
      ask={(query, options) =>
        api.listSegmentPeople({ id: appId, segmentId: segment.id, query }, options)
      }
    />
  );
}

const loadUseIn = () => import('./use-in.tsx');

function Below(props: { appId: string; segment: Segment }) {
  const { module } = useModule(loadUseIn);
  return module ? <module.UseIn {...props} /> : <Skeleton shape="plot" />;
}

function Editor({ appId, segment }: { appId: string; segment: Segment | null }) {
  const { route, query } = useLocation();
  const known = useKnown(appId, segment?.id);
  const rule = segment?.rule ?? readRule(query.rule);
  const clauses = useSignal(rule ? clausesOf(rule) : NONE);
  const preview = usePreview(appId, clauses.value);
  const timezone = useTimezone(appId);
  const save = async (name: string) => {
    const body = { name, rule: ruleOf(clauses.value) };
    const saved = segment
      ? await api.updateSegment({ id: appId, segmentId: segment.id, body })
      : await api.createSegment({ id: appId, body });
    if (!segment) route(`/apps/${appId}/segments/${saved.id}`, true);
  };
  const { data } = preview.value;
  const isSaved =
    segment !== null && JSON.stringify(ruleOf(clauses.value)) === JSON.stringify(segment.rule);
  return (
    <>
      <Card title={t.card} {...(data && { sub: t.through(momentIn(data.dataThrough, timezone)) })}>
        {!segment && rule && <p class="notice">{t.same}</p>}
        <div class="ask-rule">
          <Rule
            clauses={clauses.value}
            onChange={into(clauses)}
            sent={{ appId, days: SENT_DAYS, environment: 'production' }}
            known={known}
            faultOf={faultAt(faultOf(preview.value.error))}
          />
        </div>
        {clauses.value.clauses.length > 0 && <Count preview={preview} />}
        <Form
          button={t.save}
          done={t.saved}
          notAllowed={whyNotEdit.value || (clauses.value.clauses.length === 0 && t.incomplete)}
          onSubmit={(fields) => save(fields.get('name').trim())}
        >
          <Field label={t.name} name="name" value={segment?.name ?? ''} maxLength={80} />
        </Form>
      </Card>
      {segment && isSaved && <Below key={segment.updatedAt} appId={appId} segment={segment} />}
      {segment && isSaved && <People {...{ appId, segment, count: data?.people }} />}
      {segment && <Uses appId={appId} segmentId={segment.id} />}
    </>
  );
}

export function SegmentPage() {
  const { id: appId = '', segmentId = NEW } = useRoute().params;
  const { route } = useLocation();
  const asked = useQuery(`segment ${segmentId}`, (signal) =>
    segmentId === NEW
      ? Promise.resolve(null)
      : orNull(api.getSegment({ id: appId, segmentId }, { signal })),
  );
  const segment = asked.value.data;
  const path = `/apps/${appId}/segments`;
  return (
    <Page
      title={segment?.name ?? t.create}
      help="segments"
      actions={
        segment && (
          <Confirmed
            button={t.delete}
            title={t.deleteTitle}
            loss={t.loss}
            name={segment.name}
            notAllowed={whyNotEdit.value}
            onConfirm={async () => {
              await api.deleteSegment({ id: appId, segmentId });
              route(path, true);
            }}
          />
        )
      }
    >
      <p>
        <a href={path}>{t.back}</a>
      </p>
      <Loaded query={asked}>
        {(found) => <Editor key={found?.id ?? NEW} appId={appId} segment={found} />}
      </Loaded>
    </Page>
  );
}
