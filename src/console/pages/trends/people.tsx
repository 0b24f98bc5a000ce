import { trends as t } from '../../texts/trends.ts';
import { PeopleBehind } from '../questions/behind.tsx';
import { linesOf } from './lines.ts';
import { placeName } from './places.ts';
import type { Asked } from './queries.ts';
import type { TrendSettings } from './settings.ts';

export function People(props: { settings: TrendSettings; asked: Asked; firstDay: string | null }) {
  const { settings, asked, firstDay } = props;
  const { point, of, change, behind, setBehind } = settings;
  const { lines, places, starts } = linesOf(asked, firstDay);
  if (behind?.figure.of === 'point') {
    return <PeopleBehind {...{ settings, picked: behind }} onClose={() => setBehind(undefined)} />;
  }
  const index = point === undefined ? -1 : places.indexOf(point);
  const start = starts[index];
  const line = of === undefined ? lines[0] : lines.find(({ key }) => key === of);
  if (!line?.source || point === undefined || start === undefined) return null;
  const { series, question, values } = line.source;
  const isAll = of === undefined && lines.length > 1;
  const isPlain =
    of === undefined && settings.ask.series.every((one) => Object.keys(one).length === 0);
  const { first } = asked;
  const ofAll = first.kind === 'series' ? first.points[index]?.people : undefined;
  const name = isAll || isPlain ? undefined : line.name;
  return (
    <PeopleBehind
      settings={settings}
      picked={{
        ...{ question, values: isAll ? [] : values },
        figure: { of: 'point', series, point: start },
        title: t.behind(placeName(point, first.interval), name),
      }}
      count={isAll ? (ofAll ?? null) : (line.peopleAt[index] ?? null)}
      onClose={() => change({ point: undefined, of: undefined })}
    />
  );
}
