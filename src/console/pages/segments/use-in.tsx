import type { Segment } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { COUNTS } from '../../parts/chart/formats.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { askParameters, begin, DOORS } from '../../state/ask.ts';
import { dayOf } from '../../state/days.ts';
import { useApi } from '../../state/use-api.ts';
import { segments as t } from '../../texts/segments.ts';

const DAYS = 28;
const HEIGHT_PX = 220;
const KINDS = ['trend', 'funnel', 'retention'] as const;

/** Its people by day, and the questions that begin with them. */
export function UseIn({ appId, segment }: { appId: string; segment: Segment }) {
  const selection = { where: { all: [{ segment: segment.id, is: true }] } };
  const body = { kind: 'series' as const, series: [selection], days: DAYS };
  const asked = useApi(api.answerQuestion, { id: appId, body });
  const hrefOf = (kind: (typeof KINDS)[number]) =>
    `/apps/${appId}/${DOORS[kind]}?${new URLSearchParams(askParameters(begin(kind, selection)))}`;
  const links = (
    <p class="row">
      {KINDS.map((kind) => (
        <Button key={kind} kind="ghost" compact href={hrefOf(kind)}>
          {t.askIn[kind]}
        </Button>
      ))}
      <Button kind="ghost" compact href={`/apps/${appId}/flags?add=flag&segment=${segment.id}`}>
        {t.inFlag}
      </Button>
      <Button
        kind="ghost"
        compact
        href={`/apps/${appId}/experiments?add=experiment&segment=${segment.id}`}
      >
        {t.inExperiment}
      </Button>
    </p>
  );
  return (
    <Card title={t.course}>
      <Loaded query={asked} skeleton={<Skeleton shape="plot" />}>
        {(answer) =>
          answer.kind === 'series' && (
            <TimeChart
              title={t.course}
              csvName="segment-people"
              height={HEIGHT_PX}
              days={answer.points.map(({ from }) => dayOf(Date.parse(from), answer.timezone))}
              series={[
                {
                  ...{ key: 'people', name: t.people },
                  values: answer.points.map(({ people }) => people),
                },
              ]}
              format={COUNTS}
              isLastPartial={answer.points.at(-1)?.partial ?? false}
            />
          )
        }
      </Loaded>
      {links}
    </Card>
  );
}
