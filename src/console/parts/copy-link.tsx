import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { addressed } from '../state/organization.ts';
import { fixedQuery, useRange } from '../state/range.ts';
import { range as t } from '../texts/range.ts';
import * as icons from './icons.ts';

const SAID_MS = 2_000;

/** Two dates in place of a preset: the same tomorrow. */
export function CopyLink() {
  const { path, query } = useLocation();
  const range = useRange();
  const said = useSignal<string | undefined>(undefined);
  const copy = async () => {
    const address = `${location.origin}${addressed(path)}${fixedQuery(`${new URLSearchParams(query)}`, range)}`;
    try {
      await navigator.clipboard.writeText(address);
      said.value = t.linkCopied;
    } catch {
      said.value = t.copyFailed;
    }
    setTimeout(() => {
      said.value = undefined;
    }, SAID_MS);
  };
  return (
    <>
      <button type="button" class="ghost" onClick={() => void copy()}>
        {said.value === t.linkCopied ? <icons.check aria-hidden /> : <icons.link aria-hidden />}
        {said.value ?? t.copyLink}
      </button>
      <span class="skip" role="status">
        {said.value}
      </span>
    </>
  );
}
