import { useRoute } from 'preact-iso';
import type { Segment } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useIsIdle, useQueries } from '../../state/query.ts';
import { useSegments } from '../../state/segments.ts';
import { mayEdit } from '../../state/session.ts';
import { question } from '../../state/use-api.ts';
import { segments as t } from '../../texts/segments.ts';
import { type Known, ruleWords } from './clauses.ts';
import { useKnown } from './queries.ts';

/** The service counts each anew. */
const COUNTED = 20;

function useSizes(appId: string, segments: readonly Segment[]) {
  const counted = segments.slice(0, COUNTED);
  const asked = useQueries(
    counted.map(({ id: segmentId }) =>
      question(api.countSegment, { id: appId, segmentId }, segmentId),
    ),
    { enabled: useIsIdle() },
  );
  return new Map(counted.map(({ id }, index) => [id, asked[index]?.value.data?.people ?? null]));
}
type Sizes = ReturnType<typeof useSizes>;

const columnsOf = (known: Known, sizes: Sizes): Column<Segment>[] => [
  { label: t.name, show: ({ name }) => name, sort: true, narrow: true },
  { label: t.people, figure: ({ id }) => sizes.get(id) ?? null, sort: true, narrow: true },
  { label: t.rule, show: ({ rule }) => ruleWords(rule, known), narrow: true },
  { label: t.changed, at: ({ updatedAt }) => updatedAt, isAgo: true, sort: true },
];

export function Segments() {
  const appId = useRoute().params.id ?? '';
  const all = useSegments(appId);
  const known = useKnown(appId);
  const sizes = useSizes(appId, all.value.data ?? []);
  const path = `/apps/${appId}/segments`;
  const create = mayEdit.value && <Button href={`${path}/new`}>{t.create}</Button>;
  return (
    <Page question={t.question} help="segments" actions={create}>
      <ListCard
        title={t.title}
        query={all}
        empty={{ icon: icons.people, title: t.none, text: t.noneText }}
        keyOf={({ id }) => id}
        rowHref={({ id }) => `${path}/${id}`}
        csvName="segments"
        columns={columnsOf(known, sizes)}
      />
    </Page>
  );
}
