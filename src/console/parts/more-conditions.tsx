import { useAddress } from '../state/address.ts';
import { changedQuery } from '../state/address-query.ts';
import { controls as t } from '../texts/controls.ts';
import * as icons from './icons.ts';

export function MoreConditions(props: { appId: string; as: 'trend' | 'funnel' | 'retention' }) {
  const { query } = useAddress();
  const search = changedQuery(`${new URLSearchParams(query)}`, { as: props.as });
  return (
    <a
      class="button dashed"
      href={`/apps/${props.appId}/questions${search}`}
      title={t.chips.moreText}
    >
      <icons.questions aria-hidden />
      {t.chips.more}
    </a>
  );
}
