import type { TextsOf } from '../texts/typed-keys.ts';
import type { JournalEntry } from './journal.ts';
import type { Task } from './tasks.ts';

type Texts = TextsOf<['journal', 'app']>;

/** Returns an act in words, such as "Dosed · Part A · 15 ml", or "Dose · …" if it is still to do. */
export function actText(
  t: Texts,
  locale: string,
  { kind, product, amount }: NonNullable<JournalEntry['act']>,
  isToDo: boolean,
): string {
  const quantity =
    amount === undefined ? undefined : `${amount.value.toLocaleString(locale)} ${t(`unit.${amount.unit}`)}`;
  return [t(`${isToDo ? 'toDo' : 'kind'}.${kind}`), product, quantity].filter((word) => word !== undefined).join(' · ');
}

/** Returns a task in one line: its title, or its act. */
export function taskText(t: Texts, locale: string, { title, act }: Pick<Task, 'title' | 'act'>): string {
  return title === '' && act !== undefined ? actText(t, locale, act, true) : title;
}
