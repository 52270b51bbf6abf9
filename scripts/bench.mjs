// `npm run bench`: prints the tables of benches/. `npm run bench native` or `npm run bench web` prints one half.
import { prepareBuild } from './machine.mjs';
import { command, must, say } from './process.mjs';
import { buildAll } from './steps.mjs';

await command(async () => {
  const [half] = process.argv.slice(2);
  prepareBuild();
  if (half !== 'web') {
    say('\n── native');
    must('cargo', ['bench', '--quiet', '--package', 'native-benches']);
    must('cargo', ['run', '--quiet', '--release', '--package', 'native-benches', '--bin', 'open_log']);
  }
  if (half !== 'native') {
    say('\n── web');
    buildAll();
    must('npm', ['--prefix', 'benches/web', 'ci', '--no-audit', '--no-fund', '--loglevel=error']);
    must('node', ['benches/web/leaf.mjs']);
    must('node', ['benches/web/memory.mjs']);
    must('node', ['benches/web/run.mjs']);
    must('node', ['benches/web/writes.mjs']);
    must('node', ['benches/web/versions.mjs']);
  }
});
