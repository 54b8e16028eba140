import en from './en/desktop.json' with { type: 'json' };
import es from './es/desktop.json' with { type: 'json' };
import ptBr from './pt-BR/desktop.json' with { type: 'json' };

/** The texts of the desktop app outside its page, in every language: menus, tray, dialogs, notifications. */
export const DESKTOP_TEXTS = { en, 'pt-BR': ptBr, es };
