import classes from './nodes-page.module.css';

/** A SHA-256 fingerprint in groups of four, to be compared by eye. */
export function Fingerprint({ value }: { value: string }) {
  return <code className={classes.fingerprint}>{value.match(/.{4}/g)?.join(' ') ?? value}</code>;
}
