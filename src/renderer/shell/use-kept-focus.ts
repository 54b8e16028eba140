import { useEffect } from 'react';

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea, summary, [tabindex]';

/**
 * The position of the focus: the focused element's ancestors in the page, the nearest first, and its index among the
 * controls of each.
 */
interface Place {
  readonly element: Element;
  readonly ancestors: readonly { readonly element: Element; readonly index: number }[];
}

function controlsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.checkVisibility());
}

function placeOf(element: Element, page: Element): Place {
  const ancestors: { element: Element; index: number }[] = [];
  for (let each = element.parentElement; each !== null && each !== page; each = each.parentElement) {
    ancestors.push({ element: each, index: controlsIn(each).indexOf(element as HTMLElement) });
  }
  return { element, ancestors };
}

/**
 * Keeps the focus near its position if an action removes the focused element, such as a row or its button. It moves to
 * the control that is now at this position, otherwise to the last one there. Without this, the Tab key would start
 * again at the top.
 */
export function useKeptFocus(page: HTMLElement | null): void {
  useEffect(giveBackWhenEnabled, []);
  useEffect(() => {
    if (page === null) return;
    let last: Place | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element && page.contains(target) && target !== page ? placeOf(target, page) : null;
    };
    const observer = new MutationObserver(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (last === null || !isLost || last.element.isConnected) return;
      // If the whole page was replaced, the shell moves the focus.
      for (const { element, index } of last.ancestors) {
        if (!element.isConnected) continue;
        const controls = controlsIn(element);
        if (controls.length === 0) continue;
        controls[Math.min(index, controls.length - 1)]!.focus();
        return;
      }
    });
    page.addEventListener('focusin', onFocus);
    // Observes the whole document: a dialog may have removed the element, and is itself removed later.
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      page.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, [page]);
}

/**
 * Browsers take the focus from a button that is disabled while it waits for the node. This returns the focus to it
 * afterwards.
 */
function giveBackWhenEnabled(): () => void {
  let last: EventTarget | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    last = target;
  };
  const observer = new MutationObserver((changes) => {
    if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return;
    if (changes.some(({ target }) => target === last) && !last.hasAttribute('disabled')) last.focus();
  });
  document.addEventListener('focusin', onFocus);
  observer.observe(document.body, { attributes: true, attributeFilter: ['disabled'], subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocus);
    observer.disconnect();
  };
}
