/** Shown if no texts could be loaded in any language. */
const MESSAGES = [
  ['en', 'Wellhouse could not load its texts. Is the node running?', 'Reload'],
  ['pt-BR', 'O Wellhouse não conseguiu carregar os textos. O nó está em execução?', 'Recarregar'],
  ['es', 'Wellhouse no pudo cargar sus textos. ¿Está el nodo en marcha?', 'Recargar'],
] as const;

/** Shows the message and a reload button, in every language. */
export function showNoTexts(root: HTMLElement): void {
  const page = document.createElement('main');
  page.className = 'no-texts';
  page.setAttribute('role', 'alert');
  for (const [language, text, reload] of MESSAGES) {
    const line = document.createElement('p');
    line.lang = language;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = reload;
    button.addEventListener('click', () => window.location.reload());
    line.append(`${text} `, button);
    page.append(line);
  }
  root.replaceChildren(page);
}
