/**
 * Takes out every service worker of this origin and what they cached. Wellhouse has none: one that is here was left by
 * another program that had the node's port.
 */
export async function dropServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister().catch(() => false)));
  if (!('caches' in window)) return;
  for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false);
}
