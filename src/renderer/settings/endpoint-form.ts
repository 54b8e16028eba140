import type { SettingChange, SettingsView } from '../../shared/owner-api/settings.ts';
import { isAddress } from '../../shared/private-address.ts';
import { HOST_NAME } from '../../shared/settings/checks.ts';

/** The endpoints' settings as typed into the form. */
export interface EndpointForm {
  readonly localPort: string;
  readonly publicPort: string;
  readonly publicRateLimit: string;
  readonly localAllowedHosts: string;
}

export type EndpointField = keyof EndpointForm;
export const ENDPOINT_FIELDS = ['localPort', 'publicPort', 'publicRateLimit', 'localAllowedHosts'] as const;

const HIGHEST = { localPort: 65_535, publicPort: 65_535, publicRateLimit: 1_000_000 } as const;

/** Returns the form for the current settings. */
export function formOf({ settings }: SettingsView): EndpointForm {
  return {
    localPort: String(settings.localPort.value),
    publicPort: String(settings.publicPort.value),
    publicRateLimit: String(settings.publicRateLimit.value),
    localAllowedHosts: settings.localAllowedHosts.value.join(', '),
  };
}

/** Returns the form's change (empty if there is none), or the first field that is not valid. */
export function changeOf(
  form: EndpointForm,
  view: SettingsView,
): { change: SettingChange } | { refused: EndpointField } {
  const change: SettingChange = {};
  for (const field of ENDPOINT_FIELDS) {
    if (form[field].trim() === formOf(view)[field]) continue;
    if (field === 'localAllowedHosts') {
      const hosts = hostsOf(form[field]);
      if (hosts === null) return { refused: field };
      change[field] = hosts;
    } else {
      const value = numberOf(form[field], field === 'publicRateLimit' ? 0 : 1, HIGHEST[field]);
      if (value === null) return { refused: field };
      change[field] = value;
    }
  }
  return { change };
}

/** Returns a whole number within bounds; null if the text is not one. */
export function numberOf(text: string, lowest: number, highest: number): number | null {
  const trimmed = text.trim();
  const value = /^[0-9]{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return value >= lowest && value <= highest ? value : null;
}

function hostsOf(text: string): string[] | null {
  const hosts = text
    .split(/[\s,]+/)
    .map((host) => host.toLowerCase())
    .filter((host) => host !== '');
  return hosts.every((host) => HOST_NAME.test(host) || (isAddress(host) && !host.includes('%')))
    ? [...new Set(hosts)]
    : null;
}
