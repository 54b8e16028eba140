import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SoakLoad } from './soak-load.ts';
import { SoakNode } from './soak-node.ts';
import { judgeSamples, type Sample, sampleLine, takeSample } from './soak-samples.ts';

const HELP = `Usage: npm run soak [-- OPTION…]

Runs the built node under a steady mixed load of 200 devices and watches it from outside.
Exits with 1 when its memory or its open files grow, or when it answers what it should not.

  --minutes N   how long, after the first filling (10)
  --dir FOLDER  where the temporary folder is made (${tmpdir()})
  --help        show this and exit
`;
const BUILT_NODE = fileURLToPath(new URL('../out/main/headless.js', import.meta.url));
const SAMPLE_EVERY_MS = 5_000;
const SAMPLES_PER_LINE = 6;

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (values.help || !(minutes > 0)) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  if (process.platform !== 'linux' || !existsSync(BUILT_NODE)) {
    console.error('soak: needs Linux, for /proc, and a built node: run `npm run build` first');
    return 2;
  }
  const folder = mkdtempSync(join(resolve(values.dir), 'wellhouse-soak-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return await soak(join(folder, 'data'), minutes);
}

async function soak(dataDir: string, minutes: number): Promise<number> {
  const node = await SoakNode.start(BUILT_NODE, dataDir);
  const load = new SoakLoad({ public: node.publicUrl, local: node.localUrl });
  const filled = await load.fill();
  console.log(`${load.devices} devices, ${filled} readings stored to begin with; ${minutes} minutes from here`);
  load.start();
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < minutes * 60_000 && node.isRunning) {
    await wait(SAMPLE_EVERY_MS);
    if (!node.isRunning) break;
    const sample = takeSample(node.pid, (performance.now() - startedAt) / 1000);
    if (samples.length % SAMPLES_PER_LINE === 0) console.log(sampleLine(sample, load.counts));
    samples.push(sample);
  }
  const ended = node.isRunning;
  await load.stop();
  const problems = [...judgeSamples(samples), ...load.problems];
  if (!ended) problems.push('the node ended by itself');
  else await node.stop();
  console.log(sampleLine(samples.at(-1)!, load.counts));
  const resident = samples.map(({ residentMb }) => residentMb);
  console.log(`resident memory from ${Math.min(...resident).toFixed(1)} to ${Math.max(...resident).toFixed(1)} MB`);
  for (const problem of problems) console.log(`PROBLEM: ${problem}`);
  if (problems.length === 0) console.log('memory flat, open files flat, every answer as it should be');
  return problems.length === 0 ? 0 : 1;
}
