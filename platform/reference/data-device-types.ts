import type { Titled } from './titles.ts'

/** Kinds of placement; the numbers are those that campaigns keep. */
export const DEVICE_TYPES: readonly Titled[] = [
  ['1', 'All devices', 'Все устройства'],
  ['4', 'Android', 'Android'],
  ['3', 'iOS', 'iOS'],
]
