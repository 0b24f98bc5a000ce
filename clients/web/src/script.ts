import { createClient } from './index.ts';

// The <script> file: `ControlPlane.createClient({…})`.
Object.assign(globalThis, { ControlPlane: { createClient } });
