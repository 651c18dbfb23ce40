import type { DraftEntry } from './draft.ts'

/** An immutable list of entries: every change returns a new list and a new object for the changed entry. */
export type Entries = readonly DraftEntry[]

export const nextId = (entries: Entries): number => Math.max(0, ...entries.map(({ id }) => id)) + 1

/** Adds an entry. Its default name is stored data, so it is not translated. */
export function addEntry(entries: Entries): Entries {
  const id = nextId(entries)
  return [...entries, { id, name: `Bidding ${id}`, multiplier: '1', rules: { condition: 'and', rules: [] } }]
}

/** Adds a copy below an entry, under the next free number: `Phones (2)`. */
export function duplicateEntry(entries: Entries, id: number): Entries {
  const index = entries.findIndex((entry) => entry.id === id)
  const entry = entries[index]
  if (entry === undefined) return entries
  return insertEntry(entries, index + 1, { ...entry, id: nextId(entries), name: copyName(entries, entry.name) })
}

function copyName(entries: Entries, name: string): string {
  const base = name.replace(/ \(\d+\)$/, '')
  const taken = new Set(entries.map((entry) => entry.name))
  for (let number = 2; ; number++) if (!taken.has(`${base} (${number})`)) return `${base} (${number})`
}

export const changeEntry = (entries: Entries, id: number, change: Partial<Omit<DraftEntry, 'id'>>): Entries =>
  entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry))

/** Renames an entry; an empty name is ignored. */
export const renameEntry = (entries: Entries, id: number, name: string): Entries =>
  name.trim() === '' ? entries : changeEntry(entries, id, { name: name.trim() })

export const removeEntry = (entries: Entries, id: number): Entries => entries.filter((entry) => entry.id !== id)

export const insertEntry = (entries: Entries, index: number, entry: DraftEntry): Entries =>
  entries.some(({ id }) => id === entry.id) ? entries : [...entries.slice(0, index), entry, ...entries.slice(index)]

/** Swaps an entry with its neighbour; no-op at the ends. */
export function moveEntry(entries: Entries, id: number, by: -1 | 1): Entries {
  const from = entries.findIndex((entry) => entry.id === id)
  const moved = entries[from]
  const neighbour = entries[from + by]
  if (moved === undefined || neighbour === undefined) return entries
  return entries.map((entry) => (entry === moved ? neighbour : entry === neighbour ? moved : entry))
}
