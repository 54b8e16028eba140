import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Resolves with the addresses of a node in its own process when it has started. The node ends with this process. Its
 * log is read continuously, so that a full pipe never blocks it. Rejects with its output if it does not start.
 */
export function started(child: ChildProcess): Promise<{ publicUrl: string; localUrl: string | null }> {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = () => reject(new Error(`the node did not start: ${output}`));
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    child.once('exit', fail);
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
      const line = output.split('\n').find((candidate) => /"msg":"node started".*}$/.test(candidate));
      if (line === undefined) return;
      clearTimeout(timer);
      child.off('exit', fail);
      resolve(JSON.parse(line));
    });
  });
}

export function isRunning(child: ChildProcess): boolean {
  return running.has(child);
}

/** Ends the node as a service manager would. Rejects if it does not end cleanly by itself. */
export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  const [code] = await exited;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`the node did not stop cleanly (exit code ${code})`);
}
