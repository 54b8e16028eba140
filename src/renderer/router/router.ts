import { useMemo, useSyncExternalStore } from 'react';
import { onFragment, pathIn } from './parameters.ts';

// The page is in the URL's fragment, so the same files work under /ui/, through a tunnel and in the desktop's own
// scheme.

/** A page of the owner's view. */
export type Route =
  | { readonly page: 'overview' }
  /** `node` is the node of the device if it is not the page's own node. */
  | { readonly page: 'device'; readonly id: string; readonly node?: string | undefined }
  | { readonly page: 'compare' }
  /** Tasks and all crop cycles, the cycle with this id, or a comparison of it with the cycle `beside`. */
  | { readonly page: 'crops'; readonly cycle?: string; readonly beside?: string }
  /** A page to print: of a crop cycle, or of a device or group over a range. */
  | { readonly page: 'report'; readonly of: 'cycle' | 'device' | 'group'; readonly id: string }
  /** All alerts, or the one with this id. */
  | { readonly page: 'alerts'; readonly id: string | null }
  /** `from` says where the devices to connect are. If it is missing, the page asks. */
  | { readonly page: 'connect'; readonly from?: 'network' | 'elsewhere' }
  /** The setup steps of the node. */
  | { readonly page: 'setup' }
  | { readonly page: 'keys' }
  | { readonly page: 'node' }
  | { readonly page: 'nodes' }
  | { readonly page: 'space' }
  | { readonly page: 'backups' }
  /** The export of all data in open formats. */
  | { readonly page: 'export' }
  | { readonly page: 'settings' }
  /** Paired phones and people. */
  | { readonly page: 'people' }
  /** Programs that can see the devices. */
  | { readonly page: 'connections' }
  /** Who can reach the node. */
  | { readonly page: 'security' }
  /** The audit log. */
  | { readonly page: 'audit' }
  | { readonly page: 'unknown' };

/** The pages whose fragment is only their name. */
const PLAIN = [
  'compare',
  'connect',
  'setup',
  'keys',
  'node',
  'nodes',
  'space',
  'backups',
  'export',
  'people',
  'connections',
  'security',
  'audit',
  'settings',
] as const;
type PlainPage = (typeof PLAIN)[number];

function isPlain(name: string): name is PlainPage {
  return (PLAIN as readonly string[]).includes(name);
}

const KEY = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the page that a fragment such as `#/device/<id>` names. Text after a `?` belongs to the page. */
export function parseRoute(hash: string): Route {
  const [first = '', second, ...rest] = pathIn(hash).replace(/^#\/?/, '').split('/');
  if (first === '' && second === undefined) return { page: 'overview' };
  if (first === 'device' && second !== undefined && KEY.test(second)) {
    if (rest.length === 0) return { page: 'device', id: second };
    const [at, node = '', ...more] = rest;
    if (at === 'at' && KEY.test(node) && more.length === 0) return { page: 'device', id: second, node };
  }
  if (first === 'alerts' && second === undefined) return { page: 'alerts', id: null };
  if (first === 'alerts' && rest.length === 0 && second !== undefined && UUID.test(second)) {
    return { page: 'alerts', id: second };
  }
  if (first === 'crops') return parseCrops(second, rest);
  if (first === 'report' && rest.length === 1) {
    const [id] = rest as [string];
    if (second === 'device' && KEY.test(id)) return { page: 'report', of: second, id };
    if ((second === 'cycle' || second === 'group') && UUID.test(id)) return { page: 'report', of: second, id };
  }
  if (first === 'connect' && rest.length === 0 && (second === 'network' || second === 'elsewhere')) {
    return { page: 'connect', from: second };
  }
  if (second === undefined && isPlain(first)) return { page: first };
  return { page: 'unknown' };
}

function parseCrops(cycle: string | undefined, [word, beside, ...more]: readonly string[]): Route {
  if (cycle === undefined) return { page: 'crops' };
  if (!UUID.test(cycle)) return { page: 'unknown' };
  if (word === undefined) return { page: 'crops', cycle };
  if (word !== 'beside' || beside === undefined || !UUID.test(beside) || more.length > 0) return { page: 'unknown' };
  return { page: 'crops', cycle, beside };
}

/** Returns the fragment of a page, for an `href`. */
export function linkTo(route: Exclude<Route, { page: 'unknown' }>): string {
  switch (route.page) {
    case 'overview':
      return '#/';
    case 'device':
      return route.node === undefined ? `#/device/${route.id}` : `#/device/${route.id}/at/${route.node}`;
    case 'report':
      return `#/report/${route.of}/${route.id}`;
    case 'connect':
      return route.from === undefined ? '#/connect' : `#/connect/${route.from}`;
    case 'crops':
      return ['#/crops', route.cycle, ...(route.beside === undefined ? [] : ['beside', route.beside])]
        .filter((part) => part !== undefined)
        .join('/');
    case 'alerts':
      return route.id === null ? '#/alerts' : `#/alerts/${route.id}`;
    default:
      return `#/${route.page}`;
  }
}

/** Returns a text that identifies a page. Each device, crop cycle and report has its own. */
export function pageKey(route: Route): string {
  const isOfOne = route.page === 'device' || route.page === 'crops' || route.page === 'report';
  return isOfOne ? linkTo(route) : route.page;
}

/** Opens a page like a link. */
export function navigate(to: Exclude<Route, { page: 'unknown' }>): void {
  window.location.hash = linkTo(to);
}

/** Returns the page in the URL, and updates when it changes. */
export function useRoute(): Route {
  const path = useSyncExternalStore(onFragment, () => pathIn(window.location.hash));
  return useMemo(() => parseRoute(path), [path]);
}
