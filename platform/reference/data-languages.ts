import type { Titled } from './titles.ts'

/** Languages of an audience (campaign.md §9); those of the interface are another thing. */
export const LANGUAGES: readonly Titled[] = [
  ['english', 'English', 'Английский'],
  ['hausa', 'Hausa', 'Хауса'],
]
