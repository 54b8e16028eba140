import type { Namespace, TFunction } from 'i18next';
import type { English } from './english.ts';

// Adds types for keys and values of texts to i18next: code does not compile if English lacks a key, or if a text's
// value is missing.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: English;
    strictKeyChecks: true;
  }
}

/**
 * The function that returns the texts of a namespace. If there are several, it returns the others' by keys such as
 * `app:common.retry`.
 */
export type TextsOf<N extends Namespace> = TFunction<N>;
