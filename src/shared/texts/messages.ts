import enAlerts from './en/alerts.json' with { type: 'json' };
import enApp from './en/app.json' with { type: 'json' };
import enJournal from './en/journal.json' with { type: 'json' };
import esAlerts from './es/alerts.json' with { type: 'json' };
import esApp from './es/app.json' with { type: 'json' };
import esJournal from './es/journal.json' with { type: 'json' };
import ptBrAlerts from './pt-BR/alerts.json' with { type: 'json' };
import ptBrApp from './pt-BR/app.json' with { type: 'json' };
import ptBrJournal from './pt-BR/journal.json' with { type: 'json' };

/** The texts of alert messages in every language. They use the page's words for fields and acts. */
export const MESSAGE_TEXTS = {
  en: { alerts: enAlerts, app: enApp, journal: enJournal },
  'pt-BR': { alerts: ptBrAlerts, app: ptBrApp, journal: ptBrJournal },
  es: { alerts: esAlerts, app: esApp, journal: esJournal },
};
