export { Builder } from './builder.tsx';
export { SaveForm } from './save-form.tsx';
export { SavedList } from './saved-list.tsx';
