/** Styles are imported for their effect; the bundler puts them into a file of their own. */
declare module '*.css';
