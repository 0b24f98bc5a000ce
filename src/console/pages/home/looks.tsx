import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { backupLooks, experimentLook, salesLooks, sortedLooks } from '../../parts/looks-of.ts';
import { type Look, Looks, LooksSkeleton } from '../../parts/looks.tsx';
import { recommendationLook } from '../../parts/recommendation.ts';
import { api } from '../../state/api.ts';
import { resultsQuestion } from '../../state/experiments.ts';
import { hasUnchecked, worthALook } from '../../state/insights.ts';
import { useQueries, useQuery } from '../../state/query.ts';
import { useCarried } from '../../state/range.ts';
import { useServiceStatus } from '../../state/service-status.ts';
import { mayManage } from '../../state/session.ts';
import { turn } from '../../state/signals.ts';
import { home as t } from '../../texts/home.ts';
import { looks as looksTexts } from '../../texts/looks.ts';
import type { Overview, Row } from './overview.ts';

const SHOWN = 5;
const SKELETONS = 4;

function MessagesNote({ enabled }: { enabled: boolean }) {
  const asked = useQuery(
    'messages note',
    async (signal) => {
      const [destinations, { quietHours }] = await Promise.all([
        api.listDigestDestinations(undefined, { signal }),
        api.getMessageSettings(undefined, { signal }),
      ]);
      return { destinations, quietHours };
    },
    { enabled: enabled && mayManage.value },
  );
  const { data } = asked.value;
  if (!data) return null;
  const { destinations, quietHours } = data;
  const places = [...new Set(destinations.map(({ kind }) => t.messages.kinds[kind]))];
  const quiet = quietHours && t.messages.quiet(quietHours.fromHour, quietHours.toHour);
  const words = [...places, ...(quiet ? [quiet] : [])].join(', ');
  return (
    <a class="quiet" href="/messages">
      {places.length > 0 ? t.messages.to(words) : t.messages.off}
    </a>
  );
}

const useResults = (rows: readonly Row[], enabled: boolean): Look[] =>
  useQueries(
    rows.map(({ app }) => resultsQuestion(app.id)),
    { enabled },
  ).flatMap(({ value: { data = [] } }, index) =>
    data.map((result) => experimentLook(rows[index]?.app.id ?? '', result)),
  );

const ofApp = (look: Look, row: Row, isOnly: boolean): Look =>
  isOnly ? look : { ...look, text: t.looks.of(row.app.displayName, String(look.text ?? '')) };

export function WorthALook({ overview }: { overview: Overview }) {
  const { rows, sales, isIdle } = overview;
  const carried = useCarried();
  const status = useServiceStatus(isIdle);
  const results = useResults(rows, isIdle);
  const isAll = useSignal(false);
  const isOnly = rows.length === 1;
  const ofRules = rows.flatMap((row) =>
    (row.insights ? worthALook(row.insights) : []).map((recommendation) =>
      ofApp(recommendationLook(row.app.id, recommendation, carried), row, isOnly),
    ),
  );
  const looks = sortedLooks([
    ...ofRules,
    ...salesLooks(sales.value.data),
    ...results,
    ...backupLooks(status.value.data?.backups),
  ]);
  const isPending = rows.some(({ insights }) => insights === undefined);
  const isUnsure = rows.some(({ insights }) => insights && hasUnchecked(insights));
  const shown = isAll.value ? looks : looks.slice(0, SHOWN);
  return (
    <Card
      title={looksTexts.title}
      count={isPending || looks.length === 0 ? undefined : looks.length}
      flush
      actions={<MessagesNote enabled={isIdle} />}
    >
      {isPending ? <LooksSkeleton count={SKELETONS} /> : <Looks looks={shown} />}
      {!isPending && looks.length === 0 && (
        <p class="quiet looks-none">{isUnsure ? looksTexts.unchecked : looksTexts.nothing}</p>
      )}
      {!isPending && shown.length < looks.length && (
        <div class="looks-more">
          <Button kind="ghost" compact onClick={turn(isAll, true)}>
            {t.looks.all(looks.length)}
          </Button>
        </div>
      )}
    </Card>
  );
}
