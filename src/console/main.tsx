export * from './first-parts.ts';
import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { takePart } from './state/polling.ts';

takePart();
const root = document.getElementById('console');
if (root) render(<App />, root);
