import type { Namespace, TFunction } from 'i18next';
import type { English } from './english.ts';

// Makes keys and values of texts typed wherever i18next is used: a key that English lacks, or a value that its text
// needs and is not given, does not compile.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: English;
    strictKeyChecks: true;
  }
}

/** The function that gives the texts of a namespace; of several, the others' by keys such as `app:common.retry`. */
export type TextsOf<N extends Namespace> = TFunction<N>;
