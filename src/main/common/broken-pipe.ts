/**
 * Drops what is printed once the reader of a pipe has gone, as `head` does after its lines: an error that nobody handles
 * would end the work that is under way, with a stack trace.
 */
export function surviveBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
