import type { Signal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { into } from '../../state/signals.ts';
import { people as t } from '../../texts/people.ts';

export function MoreRows(props: { shown: Signal<number>; of: number; page: number }) {
  const { shown, page } = props;
  const left = props.of - shown.value;
  if (left <= 0) return null;
  return (
    <p class="card-foot">
      <Button onClick={() => into(shown)(shown.value + page)}>
        {t.moreRows(Math.min(left, page), left)}
      </Button>
    </p>
  );
}
