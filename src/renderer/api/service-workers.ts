/**
 * Removes all service workers and caches of this origin. Wellhouse has none; any that exist were left by another
 * program that used the node's port.
 */
export async function dropServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister().catch(() => false)));
  if (!('caches' in window)) return;
  for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false);
}
