import { useFormat } from '../../format/format.ts';
import { useFromNow } from '../../now.ts';

/** The age of a time (Unix milliseconds of the node's clock). Updates as time passes. */
export function Age({ at }: { at: number }) {
  const format = useFormat();
  const text = useFromNow(1000, (now) => format.age(now - at));
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {text}
    </time>
  );
}
