import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `node bench/profile-summary.ts DIR [COUNT]`: prints where the event loop's thread spent its time, from the profiles
 * of `npm run bench -- --profile DIR`: one list for each node, the functions with the most self time first.
 */

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const MAIN_THREAD = /^CPU\.\d+\.\d+\.\d+\.0\..*\.cpuprofile$/;

const [dir, count = '30'] = process.argv.slice(2);
if (dir === undefined) throw new Error('give the folder of the profiles');
for (const file of readdirSync(resolve(dir)).filter((name) => MAIN_THREAD.test(name))) {
  process.stdout.write(`${file}\n${summary(JSON.parse(readFileSync(join(dir, file), 'utf8')), Number(count))}\n`);
}

function summary(profile: CpuProfile, top: number): string {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === '' ? '' : ` ${url.replace(/^.*\/(?=node_modules\/|out\/)/, '')}:${lineNumber + 1}`;
      return [id, `${functionName || '(anonymous)'}${place}`];
    }),
  );
  const own = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id)!;
    own.set(name, (own.get(name) ?? 0) + profile.timeDeltas[index]!);
  }
  const idle = own.get('(idle)') ?? 0;
  own.delete('(idle)');
  const busy = [...own.values()].reduce((sum, time) => sum + time, 0);
  const lines = [...own].sort(([, a], [, b]) => b - a).slice(0, top);
  const share = (time: number) => `${((time / busy) * 100).toFixed(1).padStart(5)} %`;
  const seconds = (time: number) => `${(time / 1e6).toFixed(2)} s`;
  return [
    `busy ${seconds(busy)}, idle ${seconds(idle)}`,
    ...lines.map(([name, time]) => `${share(time)}  ${seconds(time)}  ${name}`),
  ].join('\n');
}
