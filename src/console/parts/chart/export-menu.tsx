import { controls as t } from '../../texts/controls.ts';
import * as icons from '../icons.ts';
import { Menu, type MenuItem } from '../menu.tsx';
import { pageCharts } from './page-charts.ts';

/** What a page saves besides its charts, such as the rows of a table. */
export type ExportItem = { label: string; save: () => void };

export function ExportMenu({ items = [] }: { items?: readonly ExportItem[] }) {
  const charts = pageCharts.value.flatMap((chart): MenuItem[] => [
    {
      key: `csv ${chart.title}`,
      label: chart.title,
      detail: t.export.csv,
      onSelect: chart.saveCsv,
    },
    {
      key: `png ${chart.title}`,
      label: chart.title,
      detail: t.export.png,
      onSelect: chart.savePng,
    },
  ]);
  const others = items.map(
    ({ label, save }, index): MenuItem => ({
      key: label,
      label,
      detail: t.export.csv,
      onSelect: save,
      startsGroup: index === 0 && charts.length > 0,
    }),
  );
  const all = [...charts, ...others];
  return (
    <Menu
      label={t.export.label}
      placement="bottom-end"
      button={{
        class: 'ghost',
        isOff: all.length === 0,
        icon: icons.download,
        text: t.export.button,
      }}
      items={all}
    />
  );
}
