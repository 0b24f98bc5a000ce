import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Page } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { changedQuery } from '../../state/address-query.ts';
import { ASK_KINDS, askOf, DOORS, readAsk } from '../../state/ask.ts';
import { useSavedQuestions } from '../../state/saved-questions.ts';
import { questions as t } from '../../texts/questions.ts';

export function Moved() {
  const appId = useRoute().params.id ?? '';
  const { query, route } = useLocation();
  const { data, error } = useSavedQuestions(appId).value;
  const found = data?.find(({ id }) => id === query.saved);
  const said = readAsk(query.q)?.kind ?? (found && askOf(found.question).kind);
  const kind = said ?? ASK_KINDS.find((one) => one === query.as) ?? 'trend';
  const isKnown = said !== undefined || query.saved === undefined || Boolean(data ?? error);
  useEffect(() => {
    const search = changedQuery(location.search, { as: undefined });
    if (isKnown) route(`/apps/${appId}/${DOORS[kind]}${search}`, true);
  }, [isKnown]);
  return (
    <Page title={t.title}>
      <Skeleton shape="plot" />
    </Page>
  );
}
