import { boundMemory } from './memory-bounds.ts';

// The headless entry. It loads the node only once the process has its final memory bounds.
boundMemory();
const { main } = await import('./headless-cli.ts');
process.exitCode = await main();
