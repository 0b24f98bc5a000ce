import { momentIn, when } from '../format.ts';
import { moment as t } from '../texts/moment.ts';

export const Moment = ({ at, zone }: { at: string; zone: string }) => (
  <time dateTime={at} title={t.yours(when(at))} class="nowrap">
    {momentIn(at, zone)}
  </time>
);
