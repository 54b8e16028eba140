/**
 * Drops output once the reader of a pipe has gone, as `head` does: an unhandled error would end the program with a
 * stack trace. Other errors of stdout, such as a full disk, go to `onFault`.
 */
export function surviveBrokenPipes(onFault: ((error: NodeJS.ErrnoException) => void) | null = null): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (onFault === null) throw error;
      if (stream === process.stdout) onFault(error);
    });
  }
}
