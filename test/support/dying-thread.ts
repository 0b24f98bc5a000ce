import { parentPort } from 'node:worker_threads';

/** A thread that ends as soon as it is asked anything, as after a fault of its own. */
parentPort?.on('message', () => process.exit(3));
parentPort?.postMessage('ready');
