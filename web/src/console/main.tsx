import { open } from '../lib/index.ts';
import { mountConsole } from './app/mount.tsx';
import { keepForOffline } from './app/offline.ts';

const host = document.getElementById('app');
if (host === null) throw new Error('The page has no #app');
mountConsole(host, open);
keepForOffline();
