import { showFingerprint } from '../../../shared/pairing-link.ts';
import classes from './nodes-page.module.css';

/** A SHA-256 fingerprint, formatted for comparison by eye. */
export function Fingerprint({ value }: { value: string }) {
  return <code className={classes.fingerprint}>{showFingerprint(value)}</code>;
}
