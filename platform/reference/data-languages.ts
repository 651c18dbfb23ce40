import type { Titled } from './titles.ts'

/** Languages of an audience (campaigns.md §9); not of the interface. */
export const LANGUAGES: readonly Titled[] = [
  ['english', 'English', 'Английский'],
  ['hausa', 'Hausa', 'Хауса'],
]
