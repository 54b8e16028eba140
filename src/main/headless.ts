import { boundMemory } from './node/memory-bounds.ts';

// The headless entry. It loads the node only once the process has its final memory bounds.
boundMemory();
const { main } = await import('./cli.ts');
process.exitCode = await main();
