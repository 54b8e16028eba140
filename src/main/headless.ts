import { boundMemory } from './node/memory-bounds.ts';

// The headless entry point. It loads the node after the process has its final memory limits.
boundMemory();
const { main } = await import('./cli.ts');
process.exitCode = await main();
