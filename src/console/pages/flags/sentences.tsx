import { sentencesOf } from './sentence-texts.ts';

export const Sentences = ({ flag }: { flag: Parameters<typeof sentencesOf>[0] }) => (
  <ul class="sentences">
    {sentencesOf(flag).map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
