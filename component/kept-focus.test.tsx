import { MantineProvider, Modal } from '@mantine/core';
import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { useFocusBack } from '../src/renderer/components/browser/focus.ts';
import { useKeptFocus } from '../src/renderer/shell/use-kept-focus.ts';

interface SureProps {
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Asks before a row goes; it stays open until the row is gone, as dialogs do that wait for the node. */
function Sure({ onRemove, onClose }: SureProps) {
  useFocusBack();
  const remove = (): void => {
    onRemove();
    setTimeout(onClose, 50);
  };
  return (
    <Modal opened onClose={onClose} title="Sure?" transitionProps={{ duration: 0 }}>
      <button type="button" onClick={remove} data-autofocus>
        Yes
      </button>
    </Modal>
  );
}

function Rows() {
  const [main, setMain] = useState<HTMLElement | null>(null);
  const [rows, setRows] = useState(['first', 'second', 'third']);
  const [asked, setAsked] = useState<string | null>(null);
  useKeptFocus(main);
  return (
    <MantineProvider>
      <main ref={setMain} tabIndex={-1}>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button type="button" onClick={() => setAsked(row)}>
                {`Remove ${row}`}
              </button>
            </li>
          ))}
        </ul>
      </main>
      {asked === null ? null : (
        <Sure onRemove={() => setRows((all) => all.filter((each) => each !== asked))} onClose={() => setAsked(null)} />
      )}
    </MantineProvider>
  );
}

async function focus(name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
}

test('after a dialog removed the row that opened it, the focus is on the next row', async () => {
  await render(<Rows />);
  onTestFinished(cleanup);
  await focus('Remove second');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Yes');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Remove third');
});

function Waiting({ call }: { readonly call: Promise<void> }) {
  const [main, setMain] = useState<HTMLElement | null>(null);
  const [waits, setWaits] = useState(false);
  useKeptFocus(main);
  const wait = (): void => {
    setWaits(true);
    void call.then(() => setWaits(false));
  };
  return (
    <main ref={setMain} tabIndex={-1}>
      <button type="button" disabled={waits} onClick={wait}>
        {waits ? 'Waiting' : 'Try'}
      </button>
    </main>
  );
}

test('a button that was disabled during a call gets the focus back', async () => {
  const { promise: call, resolve: answer } = Promise.withResolvers<void>();
  await render(<Waiting call={call} />);
  onTestFinished(cleanup);
  await focus('Try');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(document.body);
  answer();
  await expect.poll(() => document.activeElement?.textContent).toBe('Try');
});
