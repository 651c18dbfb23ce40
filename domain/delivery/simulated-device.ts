import { standing } from '../estimates/panel.ts'

const part = (person: number, n: number): string =>
  Math.floor(standing(`device/${person}/${n}`) * 2 ** 32)
    .toString(16)
    .padStart(8, '0')

/** The advertising id of a person of the panel, the same on every machine: audiences of a simulation hold these. */
export function simulatedDevice(person: number): string {
  const hex = [0, 1, 2, 3].map((n) => part(person, n)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
