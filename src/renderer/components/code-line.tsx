import classes from './code-line.module.css';
import { CopyButton } from './copy-button.tsx';

/** A command or an address to copy; `label` says what the button copies. Long lines wrap. */
export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.line}>
      <code className={classes.code}>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
