import { roundRate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { sharesOf, TimeChart } from '../../parts/chart/index.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { versionsQuestion } from '../../state/app-figures.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { hrefOf } from '../../state/place.ts';
import { useQuestion } from '../../state/query.ts';
import { type Resolved, useCarried } from '../../state/range.ts';
import { versionsInUse } from '../../state/version-days-in-use.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.versions;

const UNKNOWN = 'unknown';
const HEIGHT_PX = 172;

export function Versions({ appId, range }: { appId: string; range: Resolved }) {
  const carried = useCarried();
  const query = useQuestion(versionsQuestion(appId, range));
  const trends = hrefOf('trends', appId, carried) ?? '';
  const href = `${trends}${trends.includes('?') ? '&' : '?'}breakdown=${VERSION}`;
  return (
    <Card title={t.title} sub={t.sub} href={href}>
      <Loaded query={query} skeleton={<div class="skeleton versions-skeleton" aria-busy="true" />}>
        {(data) => {
          const { days, versions } = versionsInUse(data);
          if (versions.length === 0) {
            return <Empty icon={icons.version} title={t.none} text={t.noneWhy} />;
          }
          const slots = versionSlots(versions.flatMap(({ version }) => version ?? []));
          const shares = sharesOf(versions.map(({ values }) => values));
          return (
            <TimeChart
              kind="area"
              title={t.title}
              csvName="versions-in-use"
              days={days}
              height={HEIGHT_PX}
              format={{ show: roundRate }}
              series={versions.map(({ version }, at) => ({
                key: version ?? 'rest',
                name: version === null ? t.other : version === UNKNOWN ? t.unknown : version,
                note: roundRate(shares[at]?.at(-1) ?? 0),
                values: shares[at] ?? [],
                slot: version === null ? 'other' : (slots.get(version) ?? 'other'),
              }))}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}
