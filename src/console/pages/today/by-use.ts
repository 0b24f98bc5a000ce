/** In one chunk: each of them alone is small, and the second to be used is there already. */
export { NoteForm } from '../../parts/note-form.tsx';
export { PinnedQuestion } from './pinned-question.tsx';
export { SinceYesterday } from './since-yesterday.tsx';
